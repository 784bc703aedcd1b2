//! Rows of YCbCr with half of the chroma in both directions, as RGB.

/// Doubles the columns of a row of chroma, between the row nearest to its row of pixels and the next one. The four
/// samples have weights of 9, 3, 3 and 1 sixteenths, rounded as in libwebp. `into` has two values for each sample.
pub(super) fn interpolate(near: &[u8], far: &[u8], into: &mut [u8]) {
    let ([.., near_last], [.., far_last], [first, between @ .., last]) = (near, far, into) else { return };
    *first = interpolated(near[0], near[0], far[0], far[0]);
    *last = interpolated(*near_last, *near_last, *far_last, *far_last);
    let samples = near.array_windows().zip(far.array_windows());
    for ((&[near, near_right], &[far, far_right]), into) in samples.zip(between.as_chunks_mut().0) {
        *into = [interpolated(near, near_right, far, far_right), interpolated(near_right, near, far_right, far)];
    }
}

/// Converts a row of pixels to RGB.
pub(super) fn convert(luma: &[u8], [blue, red]: [&[u8]; 2], into: &mut [u8]) {
    for (((&luma, &blue), &red), into) in luma.iter().zip(blue).zip(red).zip(into.as_chunks_mut().0) {
        *into = rgb(luma, blue, red);
    }
}

/// Returns the mean of the nearest sample, those beside and above or below it, and the farthest.
#[inline(always)]
fn interpolated(nearest: u8, beside: u8, far: u8, farthest: u8) -> u8 {
    let [nearest, beside, far, farthest] = [nearest, beside, far, farthest].map(u16::from);
    let diagonal = (nearest + 3 * beside + 3 * far + farthest + 8) >> 3;
    ((diagonal + nearest) >> 1) as u8
}

/// Converts a pixel by BT.601 with its narrow range, as libwebp rounds it: factors of 14 bits, and two more at the end.
#[inline(always)]
fn rgb(luma: u8, blue: u8, red: u8) -> [u8; 3] {
    let part = |value: u8, factor: i32| (i32::from(value) * factor) >> 8;
    let light = part(luma, 19_077);
    [
        light + part(red, 26_149) - 14_234,
        light - part(blue, 6_419) - part(red, 13_320) + 8_708,
        light + part(blue, 33_050) - 17_685,
    ]
    .map(|value| (value >> 6).clamp(0, 255) as u8)
}
