//! Conversion of rows between orders of bytes, without a branch on the layout inside the loop.

/// Converts every `FROM` bytes to `INTO` bytes, up to the end of the shorter slice.
#[inline]
pub(crate) fn repack<const FROM: usize, const INTO: usize>(
    from: &[u8],
    into: &mut [u8],
    pixel: impl Fn(&[u8; FROM]) -> [u8; INTO],
) {
    for (into, from) in into.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
        *into = pixel(from);
    }
}

/// Exchanges the first and the third of every four bytes: blue, green, red, alpha to red, green, blue, alpha and back.
///
/// It works in words, because the compiler vectorises them and does not vectorise bytes: 3.5 instead of 1.6 GB/s
/// natively.
pub(crate) fn swap_rgba(from: &[u8], into: &mut [u8]) {
    repack(from, into, |&pixel: &[u8; 4]| {
        let word = u32::from_le_bytes(pixel);
        ((word & 0xFF00_FF00) | (word >> 16 & 0xFF) | (word & 0xFF) << 16).to_le_bytes()
    });
}
