//! Input and output types of both encoders.

use raster::Result;

/// The kind of bytes that the caller passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Noise: nothing repeats, so no search is made.
    Noise,
    /// Graphics or text, which are searched for repetitions.
    Repeating,
}

/// A receiver of compressed bytes.
pub(crate) type Output<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;
