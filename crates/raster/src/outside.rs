//! Encoders outside of the core, which encode whole pictures: [`PictureEncoder`].

use crate::{Budget, PixelFormat, Quality, Result, Size};

crate::choices! {
    /// The time that an encoder spends on fewer bytes.
    pub enum Effort: default Default {
        /// Little time.
        Fast = "fast",
        /// A good result in a reasonable time.
        Default = "default",
        /// About 5 % fewer bytes for many times the time.
        Smallest = "smallest",
    }
}

/// The compression of one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Every pixel keeps its value.
    Lossless,
    /// The pixels are about the same.
    Lossy {
        /// The quality on the encoder's scale.
        quality: Quality,
    },
}

/// One picture, or a changed rectangle of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The size.
    pub size: Size,
    /// The channels and the depth.
    pub format: PixelFormat,
    /// All rows.
    pub pixels: &'a [u8],
}

/// Encodes single pictures.
pub trait PictureEncoder {
    /// Returns a file with one picture, without metadata.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for the encoder's buffers, `Io` when the encoder fails, `Unsupported` when
    /// it does not have that compression.
    fn encode(
        &mut self,
        picture: &Picture<'_>,
        compression: Compression,
        effort: Effort,
        budget: &Budget,
    ) -> Result<Vec<u8>>;
}

impl<E: PictureEncoder + ?Sized> PictureEncoder for Box<E> {
    fn encode(
        &mut self,
        picture: &Picture<'_>,
        compression: Compression,
        effort: Effort,
        budget: &Budget,
    ) -> Result<Vec<u8>> {
        (**self).encode(picture, compression, effort, budget)
    }
}
