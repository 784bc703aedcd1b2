//! The vector implementation of JPEG's encoding compared with the specification.

use crate::{forward_dct, halve_both, jpeg_encode, nonzero, quantized, rgb_to_ycbcr};

/// Returns bytes that look random.
fn bytes(seed: u32, count: usize) -> Vec<u8> {
    let next = |n: &u32| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    core::iter::successors(Some(seed), next).map(|n| (n >> 16) as u8).take(count).collect()
}

#[test]
fn colours_equal_the_specification() {
    let rows = |rgb: &[u8], convert: fn(&[u8], [&mut [u8]; 3])| {
        let mut rows = [(); 3].map(|()| vec![7; rgb.len() / 3]);
        convert(rgb, rows.each_mut().map(|row| &mut row[..]));
        rows
    };
    // Every level of two channels with some of the third, so that rows end at every position of a vector.
    for (first, second) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
        let third = |x: u8| x.wrapping_mul(37).wrapping_add(second);
        let rgb: Vec<u8> = (0..20 + second % 17).flat_map(|x| [first, second, third(x)]).collect();
        assert_eq!(rows(&rgb, rgb_to_ycbcr), rows(&rgb, jpeg_encode::rgb_to_ycbcr), "{first} {second}");
    }
    assert_eq!(rows(&[255, 255, 255, 0, 0, 255], rgb_to_ycbcr), [[255, 29], [128, 255], [128, 107]]);
}

#[test]
fn rows_of_every_length_are_halved_as_specified() {
    let (upper, lower) = (bytes(1, 160), bytes(2, 160));
    for len in 0..80 {
        let (mut got, mut want) = (vec![7; len], vec![7; len]);
        halve_both(&upper[..2 * len], &lower[..2 * len], &mut got);
        jpeg_encode::halve_both(&upper[..2 * len], &lower[..2 * len], &mut want);
        assert_eq!(got, want, "{len}");
    }
    let mut halves = [0; 2];
    halve_both(&[0, 1, 0, 1], &[1, 1, 0, 1], &mut halves);
    assert_eq!(halves, [1, 1], "3 / 4, and 2 / 4 in an odd column");
}

#[test]
fn coefficients_equal_the_specification() {
    for seed in 0..500 {
        let stride = 8 + seed as usize % 9;
        let mut samples = bytes(seed, 8 * stride);
        // Black and white blocks have the largest coefficients.
        if seed % 2 == 0 {
            samples.iter_mut().for_each(|sample| *sample = *sample / 128 * 255);
        }
        let coefficients = forward_dct(&samples, stride);
        assert_eq!(coefficients, jpeg_encode::forward_dct(&samples, stride), "{seed}");
        let divisors: [i16; 64] = core::array::from_fn(|i| 8 * (1 + (i as i16 * seed as i16).rem_euclid(255)));
        let (halves, inverses) =
            (divisors.map(|divisor| divisor / 2), divisors.map(|divisor| 1.0 / f32::from(divisor)));
        let got = quantized(&coefficients, &halves, &inverses);
        assert_eq!(got, jpeg_encode::quantized(&coefficients, &halves, &inverses), "{seed}");
        assert_eq!(nonzero(&got), jpeg_encode::nonzero(&got), "{seed}");
    }
    for level in [0, 1, 127, 128, 255] {
        assert_eq!(forward_dct(&[level; 64], 8)[0], 64 * (i16::from(level) - 128));
    }
    let mut block = [0; 64];
    (block[0], block[5], block[63]) = (-1, 256, 1);
    assert_eq!(nonzero(&block), 1 | 1 << 5 | 1 << 63);
}
