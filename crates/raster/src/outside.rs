//! Encoders outside of the core, which encode whole pictures: [`PictureEncoder`], and files with one of their pictures:
//! [`StillWriter`].

use crate::{
    Budget, ByteSink, Error, Format, FrameHeader, ImageSpec, ImageWriter, Metadata, PixelFormat, Quality, Result, Size,
    limits,
};

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

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncoderSettings {
    /// With loss or without.
    pub compression: Compression,
    /// The time spent on fewer bytes.
    pub effort: Effort,
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
    fn encode(&mut self, picture: &Picture<'_>, settings: EncoderSettings, budget: &Budget) -> Result<Vec<u8>>;
}

impl<E: PictureEncoder + ?Sized> PictureEncoder for Box<E> {
    fn encode(&mut self, picture: &Picture<'_>, settings: EncoderSettings, budget: &Budget) -> Result<Vec<u8>> {
        (**self).encode(picture, settings, budget)
    }
}

/// What surrounds the picture of an encoder in a file.
#[derive(Clone, Copy)]
pub struct Surroundings {
    /// The format, which errors name.
    pub format: Format,
    /// The longest side of a picture.
    pub max_side: u32,
    /// Writes a file with the picture of the encoder's.
    pub write: fn(&mut dyn ByteSink, &EncodedPicture<'_>) -> Result<()>,
}

/// A picture as an encoder returned it.
#[derive(Clone, Copy, Debug)]
pub struct EncodedPicture<'a> {
    /// The encoder's file.
    pub file: &'a [u8],
    /// The picture that was encoded.
    pub frame: FrameHeader,
    /// The metadata for the file.
    pub metadata: &'a Metadata,
    /// The budget of the writer.
    pub budget: &'a Budget,
}

/// A writer of files with one picture. The picture is held until its last row.
pub struct StillWriter<'a, E> {
    sink: &'a mut dyn ByteSink,
    surroundings: Surroundings,
    budget: Budget,
    frame: FrameHeader,
    settings: EncoderSettings,
    encoder: E,
    metadata: Metadata,
    /// The rows so far.
    pixels: Vec<u8>,
}

impl<'a, E: PictureEncoder + 'a> StillWriter<'a, E> {
    /// Creates the writer.
    ///
    /// # Errors
    /// `Limit` for a side of 0 or one that is too long, and when the budget does not pay for the pixels; `Unsupported`
    /// for several pictures.
    pub fn create(
        sink: &'a mut dyn ByteSink,
        spec: &ImageSpec<'_>,
        surroundings: Surroundings,
        settings: EncoderSettings,
        encoder: E,
    ) -> Result<Box<dyn ImageWriter + 'a>> {
        limits::check_size(spec.size, surroundings.max_side)?;
        if spec.frames > 1 {
            let feature = "several pictures in one file";
            return Err(Error::Unsupported { format: surroundings.format, feature });
        }
        let pixels = spec.budget.reserved(spec.pixels.row_bytes(spec.size.width) * u64::from(spec.size.height))?;
        let (budget, metadata) = (spec.budget.clone(), Metadata::default());
        let frame = FrameHeader::new(spec.size, spec.pixels);
        Ok(Box::new(Self { sink, surroundings, budget, frame, settings, encoder, metadata, pixels }))
    }
}

impl<E: PictureEncoder> ImageWriter for StillWriter<'_, E> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        self.budget.charge(metadata.byte_len())?;
        self.metadata = metadata.clone();
        self.frame = *header;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        self.pixels.extend_from_slice(row);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { sink, surroundings, budget, frame, settings, mut encoder, metadata, pixels } = *self;
        let picture = Picture { size: frame.size, format: frame.pixels, pixels: &pixels };
        let file = encoder.encode(&picture, settings, &budget)?;
        drop(pixels);
        (surroundings.write)(sink, &EncodedPicture { file: &file, frame, metadata: &metadata, budget: &budget })
    }
}
