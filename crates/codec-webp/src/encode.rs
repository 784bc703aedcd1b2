//! Writing: the chunks around bitstreams that a [`PictureEncoder`] makes. A picture is held until its last row, because
//! both bitstreams describe whole pictures. Of the later frames of an animation the changed rectangle is written.

use animation::FramePair;
use image_webp::{ColorType, WebPEncoder};
use raster::{
    Budget, ByteSink, ByteSource, Compression, Delay, Effort, EncoderSettings, Error, Format, FrameHeader, ImageSpec,
    ImageWriter, Metadata, Picture, PictureEncoder, PixelFormat, Quality, Rect, Result, Sequence, limits,
};

use crate::bitstream::MAX_SIDE;
use crate::chunk::{Chunk, Chunks, HEADER_LEN};
use crate::container::{self, SIGNATURE_LEN};

/// The options of a WebP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether every pixel keeps its value.
    pub is_lossless: bool,
    /// The quality on libwebp's scale. `None` means the quality of the source, clamped to 75 to 92, or 85 when it is
    /// unknown.
    pub quality: Option<Quality>,
    /// The time spent on fewer bytes.
    pub effort: Effort,
}

impl Options {
    /// The options of a file whose pixels keep their values.
    pub const LOSSLESS: Self = Self { is_lossless: true, quality: None, effort: Effort::Default };

    /// Returns the settings for a source whose own quality is estimated as `source`.
    fn settings_for(self, source: Option<u8>) -> EncoderSettings {
        let compression = match self.is_lossless {
            true => Compression::Lossless,
            false => Compression::Lossy { quality: Quality::for_source(self.quality, source) },
        };
        EncoderSettings { compression, effort: self.effort }
    }
}

/// The lossless encoder of `image-webp`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lossless;

impl PictureEncoder for Lossless {
    fn encode(&mut self, picture: &Picture<'_>, settings: EncoderSettings, budget: &Budget) -> Result<Vec<u8>> {
        if settings.compression != Compression::Lossless {
            return Err(LOSSY);
        }
        let Picture { size, format, pixels } = *picture;
        let color = if format.channels.has_alpha() { ColorType::Rgba8 } else { ColorType::Rgb8 };
        // Noise grows a little. The encoder copies the pixels with alpha and collects the data in a vector of its own.
        // While that grows, its old and its new memory are held.
        let most = pixels.len() as u64 * 9 / 8 + (64 << 10);
        budget.charge(4 * size.area() + 3 * most)?;
        let mut file = budget.reserved(most)?;
        let encoded = WebPEncoder::new(&mut file).encode(pixels, size.width, size.height, color);
        encoded.map_err(|error| raster::IoError::Write(error.to_string()))?;
        Ok(file)
    }
}

/// The error of programs that have no lossy encoder.
pub const LOSSY: Error =
    Error::Unsupported { format: Format::WebP, feature: "lossy compression by this program (without loss it can)" };

/// Creates a WebP file.
///
/// # Errors
/// `Limit` for a side of 0 or above 16,383 pixels and when the budget does not pay for the pixels; `Unsupported` for
/// several pictures that are no animation.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: Options,
    encoder: impl PictureEncoder + 'a,
) -> Result<Box<dyn ImageWriter + 'a>> {
    limits::check_size(spec.size, MAX_SIDE)?;
    let plays = match spec.sequence {
        _ if spec.frames < 2 => None,
        Sequence::Animation { plays } => Some(plays.min(u16::MAX.into()) as u16),
        _ => return Err(Error::Unsupported { format: Format::WebP, feature: "several pictures in one file" }),
    };
    let held = match plays {
        None => {
            Held::Still(spec.budget.filled(spec.pixels.row_bytes(spec.size.width) * u64::from(spec.size.height), 0)?)
        }
        Some(_) => Held::Animation(FramePair::new(spec.size, spec.pixels, spec.budget)?),
    };
    Ok(Box::new(WebpWriter {
        sink,
        written: 0,
        budget: spec.budget.clone(),
        frame: FrameHeader::new(spec.size, spec.pixels),
        plays,
        settings: options.settings_for(spec.source_quality),
        encoder,
        metadata: Metadata::default(),
        held,
        row: 0,
        frames: 0,
    }))
}

/// The pixels that are held.
enum Held {
    /// Of the only picture.
    Still(Vec<u8>),
    /// Of the current and the previous frame.
    Animation(FramePair),
}

struct WebpWriter<'a, E> {
    sink: &'a mut dyn ByteSink,
    /// Bytes written.
    written: u64,
    budget: Budget,
    /// The current frame.
    frame: FrameHeader,
    /// How often an animation is shown, 0 for ever; nothing for a still picture.
    plays: Option<u16>,
    settings: EncoderSettings,
    encoder: E,
    /// The metadata of the first frame.
    metadata: Metadata,
    held: Held,
    /// Rows received of the current frame.
    row: u32,
    /// Frames written.
    frames: u32,
}

impl<E: PictureEncoder> WebpWriter<'_, E> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        self.sink.write(bytes)
    }

    fn write_chunk(&mut self, kind: [u8; 4], parts: &[&[u8]]) -> Result<()> {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        self.write(&kind)?;
        self.write(&chunk_len(len as u64)?.to_le_bytes())?;
        parts.iter().try_for_each(|part| self.write(part))?;
        if len % 2 == 1 { self.write(&[0]) } else { Ok(()) }
    }

    /// Writes everything before the first bitstream.
    fn start(&mut self, first: &Encoded) -> Result<()> {
        self.write(b"RIFF\0\0\0\0WEBP")?;
        let Metadata { icc, exif, xmp, .. } = core::mem::take(&mut self.metadata);
        let flags = [
            (container::ANIMATION, self.plays.is_some()),
            (container::XMP, xmp.is_some()),
            (container::EXIF, exif.is_some()),
            // A frame without alpha may still leave transparent canvas.
            (container::ALPHA, self.frame.pixels.channels.has_alpha()),
            (container::ICC, icc.is_some()),
        ];
        let flags = flags.into_iter().filter(|&(_, is_set)| is_set).fold(0, |flags, (flag, _)| flags | flag);
        // A lossless picture has its alpha in the bitstream.
        if flags & !container::ALPHA != 0 || first.has_alpha_chunk {
            let [width, height] = [self.frame.size.width, self.frame.size.height].map(|side| bits24(side - 1));
            self.write_chunk(*b"VP8X", &[&[flags, 0, 0, 0], &width, &height])?;
        }
        if let Some(icc) = &icc {
            self.write_chunk(*b"ICCP", &[icc])?;
        }
        if let Some(plays) = self.plays {
            // The background colour, which no viewer uses, and the number of plays.
            self.write_chunk(*b"ANIM", &[&[0; 4], &plays.to_le_bytes()])?;
        }
        self.metadata = Metadata { exif, xmp, ..Metadata::default() };
        Ok(())
    }

    /// Encodes and writes the current frame.
    fn end_frame(&mut self) -> Result<()> {
        let scope = self.budget.scope();
        let FrameHeader { size, pixels: format, .. } = self.frame;
        let cut;
        let (region, pixels) = match &self.held {
            Held::Still(pixels) => (Rect::whole(size), pixels),
            Held::Animation(pair) => {
                let region = if self.frames == 0 { Rect::whole(size) } else { even(pair.difference()) };
                cut = pixels_of(pair, &region, format, &scope)?;
                (region, &cut)
            }
        };
        let picture = Picture { size: region.size(), format, pixels };
        let encoded = Encoded::read(self.encoder.encode(&picture, self.settings, &scope)?)?;
        if self.frames == 0 {
            self.start(&encoded)?;
        }
        match &mut self.held {
            Held::Still(_) => self.write(encoded.chunks())?,
            Held::Animation(pair) => {
                pair.advance();
                self.write_frame(region, &encoded)?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Writes the chunk of a frame, whose pixels replace those of the canvas.
    fn write_frame(&mut self, region: Rect, encoded: &Encoded) -> Result<()> {
        let Delay { numerator, denominator } = self.frame.delay.unwrap_or(animation::DEFAULT_DELAY);
        let milliseconds = u64::from(numerator) * 1000 / u64::from(denominator.max(1));
        let delay = milliseconds.min((1 << 24) - 1) as u32;
        let numbers = [region.x / 2, region.y / 2, region.width - 1, region.height - 1, delay].map(bits24).concat();
        self.write_chunk(*b"ANMF", &[&numbers, &[container::REPLACES], encoded.chunks()])
    }
}

impl<E: PictureEncoder> ImageWriter for WebpWriter<'_, E> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if self.frames == 0 {
            self.budget.charge(metadata.byte_len())?;
            let Metadata { icc, exif, xmp, .. } = metadata.clone();
            self.metadata = Metadata { icc, exif, xmp, ..Metadata::default() };
        }
        self.frame = *header;
        self.row = 0;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        match &mut self.held {
            Held::Still(pixels) => pixels[self.row as usize * row.len()..][..row.len()].copy_from_slice(row),
            Held::Animation(pair) => pair.set_row(self.row, row),
        }
        self.row += 1;
        if self.row == self.frame.size.height { self.end_frame() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let Metadata { exif, xmp, .. } = core::mem::take(&mut self.metadata);
        for (kind, data) in [(*b"EXIF", exif), (*b"XMP ", xmp)] {
            if let Some(data) = data {
                self.write_chunk(kind, &[&data])?;
            }
        }
        let len = chunk_len(self.written - HEADER_LEN)?;
        self.sink.patch(4, &len.to_le_bytes())
    }
}

/// The file of a [`PictureEncoder`].
struct Encoded {
    file: Vec<u8>,
    /// The range of the chunks with the picture and its alpha.
    chunks: core::ops::Range<usize>,
    has_alpha_chunk: bool,
}

impl Encoded {
    fn read(file: Vec<u8>) -> Result<Self> {
        let mut chunks = Chunks::new(&file, SIGNATURE_LEN, file.byte_len());
        let mut alpha: Option<Chunk> = None;
        while let Some(chunk) = chunks.next()? {
            match &chunk.kind {
                b"ALPH" => alpha = Some(chunk),
                b"VP8 " | b"VP8L" => {
                    let start = alpha.unwrap_or(chunk).at - HEADER_LEN;
                    let (start, end) = (start as usize, (chunk.next() as usize).min(file.len()));
                    return Ok(Self { chunks: start..end, has_alpha_chunk: alpha.is_some(), file });
                }
                _ => {}
            }
        }
        Err(Error::Contradiction("the encoder's file has no picture"))
    }

    fn chunks(&self) -> &[u8] {
        &self.file[self.chunks.clone()]
    }
}

/// The pixels of a region of the current frame.
fn pixels_of(pair: &FramePair, region: &Rect, format: PixelFormat, budget: &Budget) -> Result<Vec<u8>> {
    let mut pixels = budget.reserved(format.row_bytes(region.width) * u64::from(region.height))?;
    for y in 0..region.height {
        pixels.extend_from_slice(pair.row(region, y));
    }
    Ok(pixels)
}

/// The region, grown to even offsets: a file stores their halves.
const fn even(Rect { x, y, width, height }: Rect) -> Rect {
    let (left, top) = (x % 2, y % 2);
    Rect { x: x - left, y: y - top, width: width + left, height: height + top }
}

const fn bits24(value: u32) -> [u8; 3] {
    let [a, b, c, _] = value.to_le_bytes();
    [a, b, c]
}

/// A length as the files store it.
fn chunk_len(len: u64) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::Unsupported { format: Format::WebP, feature: "files of more than 4 GiB" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quality_is_the_option_or_follows_the_source() {
        for (wish, source, want) in [(Some(40), Some(90), 40), (None, Some(99), 92), (None, None, 85)] {
            let settings = Options { quality: wish.map(Quality::from), ..Options::default() }.settings_for(source);
            assert_eq!(settings.compression, Compression::Lossy { quality: want.into() }, "{wish:?} {source:?}");
        }
        assert_eq!(Options::LOSSLESS.settings_for(Some(80)).compression, Compression::Lossless);
    }
}
