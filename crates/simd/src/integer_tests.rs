//! The vectors of `i32` compared with their specification.

use crate::{I32x4, integer};

/// Values at which implementations can differ: around multiples of 16, the ends of bytes and words, the ends of the
/// range.
const VALUES: [i32; 23] = [
    0,
    1,
    -1,
    15,
    16,
    17,
    -15,
    -16,
    -17,
    127,
    128,
    255,
    256,
    -256,
    32_767,
    32_768,
    -32_768,
    -32_769,
    65_280,
    65_536,
    1 << 27,
    i32::MAX,
    i32::MIN,
];

fn all_pairs() -> impl Iterator<Item = ([i32; 4], [i32; 4])> {
    let at = |i: usize| core::array::from_fn(|lane| VALUES[(i + 7 * lane) % VALUES.len()]);
    (0..VALUES.len()).flat_map(move |i| (0..VALUES.len()).map(move |j| (at(i), at(j))))
}

fn assert_same(got: I32x4, want: integer::I32x4, of: &str) {
    let (mut g, mut w) = ([0; 4], [0; 4]);
    got.store(&mut g);
    want.store(&mut w);
    assert_eq!(g, w, "{of}");
}

#[test]
fn operations_equal_the_specification() {
    for (a, b) in all_pairs() {
        let (x, y) = (I32x4::load(&a), I32x4::load(&b));
        let (u, v) = (integer::I32x4::load(&a), integer::I32x4::load(&b));
        assert_same(x + y, u + v, "sum");
        assert_same(x - y, u - v, "difference");
        assert_same(x.shl::<3>(), u.shl::<3>(), "shift to the left");
        assert_same(x.shr::<8>(), u.shr::<8>(), "shift to the right");
        assert_same(x.over_power_of_two::<4>(), u.over_power_of_two::<4>(), "sixteenth");
        assert_same(x.over_power_of_two::<3>(), u.over_power_of_two::<3>(), "eighth");
        let (low, high) = (b[0].min(b[1]), b[0].max(b[1]));
        let clamped = u.clamp(integer::I32x4::splat(low), integer::I32x4::splat(high));
        assert_same(x.clamp(I32x4::splat(low), I32x4::splat(high)), clamped, "clamped");
        assert_eq!(x.to_bytes(), u.to_bytes(), "{a:?} as bytes");
    }
}

#[test]
fn bytes_become_lanes_and_come_back() {
    for byte in 0..=255_u8 {
        let bytes = [byte, 255 - byte, byte / 2, 7];
        assert_same(I32x4::from_bytes(bytes), integer::I32x4::load(&bytes.map(i32::from)), "bytes");
        assert_eq!(I32x4::from_bytes(bytes).to_bytes(), bytes);
    }
}
