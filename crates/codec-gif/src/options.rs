//! How a GIF is written.

/// Options of [`create`](crate::create).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Colours of a palette at most, 2 to 256; one of them may be needed for transparency.
    pub colors: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { colors: 256 }
    }
}
