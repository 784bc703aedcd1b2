//! Interleaving of components to pixels.

/// Writes pixels of rows of components.
pub(super) fn interleave<const N: usize>(components: [&[u8]; N], pixels: &mut [u8]) {
    for (x, pixel) in pixels.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        *pixel = components.map(|row| row[x]);
    }
}
