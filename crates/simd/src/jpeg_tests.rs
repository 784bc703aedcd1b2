//! The vector implementation of JPEG's steps compared with the specification.

use crate::{
    double_both, double_columns, inverse_dct, inverse_dct_2, inverse_dct_4, inverse_dct_of_few, jpeg, jpeg_scaled,
    ycbcr_to_rgb,
};

/// Returns numbers that look random.
fn numbers(seed: u32) -> impl Iterator<Item = u32> {
    core::iter::successors(Some(seed), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))).map(|n| n >> 8)
}

/// Returns what a transform writes into rows of eleven samples, the last three of which must not change.
fn samples(write: impl Fn(&mut [u8], usize)) -> Vec<u8> {
    let mut samples = vec![7; 8 * 11];
    write(&mut samples, 11);
    samples
}

#[test]
fn blocks_equal_the_specification_for_small_and_for_extreme_coefficients() {
    for (seed, shift) in (0..600).zip([0, 4, 8, 10, 12, 14].into_iter().cycle()) {
        let mut random = numbers(seed);
        let mut block = || core::array::from_fn(|_| (random.next().unwrap() as i16) >> shift);
        let (coefficients, steps) = (block(), block());
        let whole = samples(|into, stride| inverse_dct(&coefficients, &steps, into, stride));
        assert_eq!(whole, samples(|into, stride| jpeg::inverse_dct(&coefficients, &steps, into, stride)), "{seed}");
        let few = core::array::from_fn(|i| if i < 32 && i % 8 < 4 { coefficients[i] } else { 0 });
        let got = samples(|into, stride| inverse_dct_of_few(&few, &steps, into, stride));
        assert_eq!(got, samples(|into, stride| jpeg::inverse_dct(&few, &steps, into, stride)), "few of {seed}");
        let half = inverse_dct_4(&coefficients, &steps);
        assert_eq!(half, jpeg_scaled::inverse_dct_4(&coefficients, &steps), "half of {seed}");
        let quarter = inverse_dct_2(&coefficients, &steps);
        assert_eq!(quarter, jpeg_scaled::inverse_dct_2(&coefficients, &steps), "quarter of {seed}");
    }
    let mut flat = [0; 64];
    flat[0] = 8;
    let level = [vec![128 + 5; 8], vec![7; 3]].concat();
    assert_eq!(samples(|into, stride| inverse_dct(&flat, &[5; 64], into, stride)), level.repeat(8));
    assert_eq!(inverse_dct_4(&flat, &[5; 64]), [128 + 5; 16]);
    assert_eq!(inverse_dct_2(&flat, &[5; 64]), [128 + 5; 4]);
}

#[test]
fn rows_of_every_length_are_doubled_as_specified() {
    let bytes: Vec<u8> = numbers(5).map(|n| n as u8).take(200).collect();
    for len in 2..90 {
        let (near, far) = (&bytes[..len], &bytes[100..100 + len]);
        let (mut got, mut want) = (vec![7; 2 * len + 1], vec![7; 2 * len + 1]);
        double_columns(near, &mut got);
        jpeg::double_columns(near, &mut want);
        assert_eq!(got, want, "{len} columns");
        double_both(near, far, &mut got);
        jpeg::double_both(near, far, &mut want);
        assert_eq!(got, want, "{len} columns of two rows");
    }
    let mut doubled = [0; 6];
    double_columns(&[0, 100, 20], &mut doubled);
    assert_eq!(doubled, [0, 25, 75, 80, 40, 20]);
}

#[test]
fn colours_equal_the_specification_and_the_definition() {
    let ys: Vec<u8> = (0..=255).collect();
    for (cb, cr) in (0..=255).flat_map(|cb| (0..=255).map(move |cr| (cb, cr))) {
        let ys = &ys[usize::from(cr % 7)..];
        let (cbs, crs) = (vec![cb; ys.len()], vec![cr; ys.len()]);
        let (mut got, mut want) = (vec![0; 3 * ys.len()], vec![0; 3 * ys.len()]);
        ycbcr_to_rgb([ys, &cbs, &crs], &mut got);
        jpeg::ycbcr_to_rgb([ys, &cbs, &crs], &mut want);
        assert_eq!(got, want, "blue {cb}, red {cr}");
        let [b, r] = [cb, cr].map(|v| f64::from(v) - 128.0);
        for (&y, rgb) in ys.iter().zip(got.as_chunks::<3>().0) {
            let exact = [0.0 + 1.402 * r, -0.344_136 * b - 0.714_136 * r, 1.772 * b].map(|v| f64::from(y) + v);
            let misses = rgb.iter().zip(exact).map(|(&got, exact)| (f64::from(got) - exact.clamp(0.0, 255.0)).abs());
            assert!(misses.fold(0.0, f64::max) <= 0.51, "{y} {cb} {cr} is {exact:?}, not {rgb:?}");
        }
    }
}
