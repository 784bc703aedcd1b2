//! What error diffusion asks of the compressor that takes its indices.

/// A compressor that takes the indices of a picture in their order.
pub trait Coder {
    /// Returns the indices that may continue the string that the compressor knows, as bits: those that are equal modulo
    /// 64 share one.
    fn candidates(&self) -> u64;

    /// Takes an index if it continues the string, so that no further code is needed. Returns whether it was taken.
    fn extend(&mut self, index: u8) -> bool;

    /// Takes an index that does not continue the string.
    fn restart(&mut self, index: u8);
}

/// Returns the bit of an index among [`Coder::candidates`].
#[inline(always)]
#[must_use]
pub const fn candidate(index: u8) -> u64 {
    1 << (index % 64)
}

/// Indices that are not compressed while they are chosen.
impl Coder for () {
    fn candidates(&self) -> u64 {
        u64::MAX
    }

    fn extend(&mut self, _index: u8) -> bool {
        true
    }

    fn restart(&mut self, _index: u8) {}
}
