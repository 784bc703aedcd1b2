//! The vector implementation compared with the specification.

use crate::{F32x4, scalar, swap_rgb};

/// Values at which implementations can differ: signed zeros, subnormals, ties of rounding, the ends of the range, NaN.
const VALUES: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    1.0 / 3.0,
    1.000_000_1,
    16_777_216.0,
    16_777_217.0,
    0.5,
    f32::MIN_POSITIVE,
    1e-40,
    -1e-45,
    f32::MAX,
    f32::MIN,
    f32::EPSILON,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    -255.5,
];

fn all_pairs() -> impl Iterator<Item = ([f32; 4], [f32; 4])> {
    let at = |i: usize| core::array::from_fn(|lane| VALUES[(i + 7 * lane) % VALUES.len()]);
    (0..VALUES.len()).flat_map(move |i| (0..VALUES.len()).map(move |j| (at(i), at(j))))
}

/// Asserts that all lanes are equal to the bit or both NaN.
fn assert_same(got: F32x4, want: scalar::F32x4, of: &str) {
    let (mut g, mut w) = ([0.0; 4], [0.0; 4]);
    got.store(&mut g);
    want.store(&mut w);
    for (g, w) in g.iter().zip(w) {
        assert!(g.to_bits() == w.to_bits() || g.is_nan() && w.is_nan(), "{of}: {g:?} is not {w:?}");
    }
}

#[test]
fn arithmetic_equals_the_specification() {
    for (a, b) in all_pairs() {
        let (x, y) = (F32x4::load(&a), F32x4::load(&b));
        let (u, v) = (scalar::F32x4::load(&a), scalar::F32x4::load(&b));
        assert_same(x + y, u + v, "sum");
        assert_same(x - y, u - v, "difference");
        assert_same(x * y, u * v, "product");
        assert_same(x / y, u / v, "quotient");
        assert_same(x + x * y, u + u * v, "a product and a sum are rounded twice");
    }
}

#[test]
fn loading_and_splatting_equal_the_specification() {
    assert_same(F32x4::load(&[1.0, 2.0, 3.0, 4.0]), scalar::F32x4::load(&[1.0, 2.0, 3.0, 4.0]), "load");
    assert_same(F32x4::ZERO, scalar::F32x4::ZERO, "zero");
    for value in VALUES {
        assert_same(F32x4::splat(value), scalar::F32x4::splat(value), "splat");
    }
}

#[test]
fn clamping_equals_the_specification() {
    for (value, low) in all_pairs() {
        let got = F32x4::load(&value).clamp(F32x4::load(&low), F32x4::splat(1.0));
        let want = scalar::F32x4::load(&value).clamp(scalar::F32x4::load(&low), scalar::F32x4::splat(1.0));
        assert_same(got, want, "clamped");
        assert_eq!(F32x4::load(&value).to_bits(), value.map(f32::to_bits));
    }
    let nonsense = F32x4::splat(f32::NAN).clamp(F32x4::splat(0.25), F32x4::splat(1.0));
    assert_eq!(nonsense.to_bits(), [0.25_f32.to_bits(); 4]);
}

#[test]
fn smaller_and_larger_lanes_equal_the_specification() {
    for (a, b) in all_pairs() {
        let (fast, slow) = (F32x4::load(&a), scalar::F32x4::load(&a));
        assert_same(fast.min(F32x4::load(&b)), slow.min(scalar::F32x4::load(&b)), "smaller");
        assert_same(fast.max(F32x4::load(&b)), slow.max(scalar::F32x4::load(&b)), "larger");
    }
    let (number, nonsense) = (F32x4::splat(0.25), F32x4::splat(f32::NAN));
    assert_eq!(nonsense.min(number).to_bits(), number.to_bits());
    assert_eq!(nonsense.max(number).to_bits(), number.to_bits());
}

#[test]
fn rows_become_columns() {
    let rows: [[f32; 4]; 4] = core::array::from_fn(|j| core::array::from_fn(|i| (10 * j + i) as f32));
    let got = F32x4::transpose(rows.each_ref().map(F32x4::load));
    let want = scalar::F32x4::transpose(rows.each_ref().map(scalar::F32x4::load));
    for (i, (got, want)) in got.into_iter().zip(want).enumerate() {
        assert_same(got, want, "column");
        assert_same(got, scalar::F32x4::load(&core::array::from_fn(|j| (10 * j + i) as f32)), "column");
    }
}

/// Every possible pixel, compared with the specification and with sums in f64. The rows end at every position of a
/// vector.
/// Rows that end at every position of a vector. The bytes behind a row must not change.
#[test]
fn the_first_and_the_third_of_three_bytes_are_exchanged() {
    let from: Vec<u8> = (0..3 * 40).collect();
    for pixels in 0..=40 {
        for padding in [0, 1, 17] {
            let mut got = vec![0; 3 * pixels + padding];
            swap_rgb(&from[..3 * pixels], &mut got);
            let swapped = from.chunks_exact(3).take(pixels).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]);
            let want: Vec<u8> = swapped.chain(vec![0; padding]).collect();
            assert_eq!(got, want, "{pixels} pixels, {padding} bytes behind them");
        }
    }
}
