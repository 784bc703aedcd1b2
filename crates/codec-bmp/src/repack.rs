//! Rows from one order of bytes into another: no branch on the layout inside the loop.

/// Turns every `FROM` bytes into `INTO` bytes, as far as both go.
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
