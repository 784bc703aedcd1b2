//! What both encoders take and give.

use raster::Result;

/// What the caller expects of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Noise: nothing repeats, so no search is made.
    Noise,
    /// Graphics or text: worth a search for repetitions.
    Repeating,
}

/// Takes compressed bytes.
pub(crate) type Output<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;
