//! The "over" operation of Porter and Duff for straight alpha, rounded to the nearest sample.

use raster::{Channels, Depth, PixelFormat};

/// Composites pixels over the pixels of `canvas`. Both are in `format`, which has alpha.
pub(crate) fn over(format: PixelFormat, pixels: &[u8], canvas: &mut [u8]) {
    debug_assert!(format.channels.has_alpha() && pixels.len() == canvas.len());
    match (format.channels, format.depth) {
        (Channels::GrayAlpha, Depth::Eight) => over_by::<2, 1>(pixels, canvas),
        (_, Depth::Eight) => over_by::<4, 1>(pixels, canvas),
        (Channels::GrayAlpha, Depth::Sixteen) => over_by::<4, 2>(pixels, canvas),
        (_, Depth::Sixteen) => over_by::<8, 2>(pixels, canvas),
    }
}

/// Composites pixels of `N` bytes with samples of `S` bytes.
fn over_by<const N: usize, const S: usize>(pixels: &[u8], canvas: &mut [u8]) {
    let full = (1_u64 << (8 * S)) - 1;
    for (from, to) in pixels.as_chunks::<N>().0.iter().zip(canvas.as_chunks_mut::<N>().0) {
        let (alpha, below) = (sample(&from[N - S..]), sample(&to[N - S..]));
        if alpha == 0 {
            continue;
        }
        if alpha == full || below == 0 {
            *to = *from;
            continue;
        }
        // The weights of the two colours are in units of `full`², which avoids a division here. Their sum is the alpha
        // of the result in the same unit.
        let (above, below) = (alpha * full, below * (full - alpha));
        let both = above + below;
        for (to, from) in to[..N - S].chunks_exact_mut(S).zip(from.chunks_exact(S)) {
            let mixed = (sample(from) * above + sample(to) * below + both / 2) / both;
            to.copy_from_slice(&mixed.to_le_bytes()[..S]);
        }
        to[N - S..].copy_from_slice(&((both + full / 2) / full).to_le_bytes()[..S]);
    }
}

/// Reads a little-endian sample of one or two bytes.
fn sample(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sample, byte| sample << 8 | u64::from(*byte))
}
