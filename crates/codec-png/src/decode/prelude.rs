//! Everything before the first IDAT chunk: the header, and the few ancillary chunks that a picture is shown by.
//!
//! Text is never read, so it cannot be a bomb. An ancillary chunk that is broken costs a warning at most.

use raster::{Budget, ByteSource, Error, Format, Limit, Orientation, Result, Warning, exif};

use super::profile;
use crate::chunk::{self, ChunkType, Chunks, Head, SIGNATURE};
use crate::error::Cause;
use crate::header::{ColorType, Header};

/// Chunks before the image data. The busiest file of the corpus has 35; a forged one may have millions of empty ones.
const MAX_CHUNKS: u32 = 100_000;

/// Bytes of an ancillary chunk that are worth holding. The largest ICC profiles in use have some 4 MB.
const MAX_ANCILLARY: u32 = 16 << 20;

/// What the file says before its pixels.
#[derive(Debug)]
pub(crate) struct Prelude {
    pub(crate) header: Header,
    /// PLTE's data: red, green, blue of 1 to 256 entries. There is one if the colour type is `Indexed`.
    pub(crate) palette: Option<Vec<u8>>,
    /// tRNS's data, of the length that the colour type asks for.
    pub(crate) transparency: Option<Vec<u8>>,
    pub(crate) icc: Option<Vec<u8>>,
    pub(crate) orientation: Orientation,
    /// As acTL says; 1 without it.
    pub(crate) frames: u32,
    pub(crate) warnings: Vec<Warning>,
    /// Offset of the first IDAT chunk.
    pub(crate) data: u64,
}

impl Prelude {
    /// Walks to the first IDAT chunk of the picture whose signature stands at `at`.
    pub(crate) fn read(source: &dyn ByteSource, at: u64, budget: &Budget) -> Result<Self> {
        let mut signature = [0; SIGNATURE.len()];
        source.read_full_at(at, &mut signature)?;
        if signature != SIGNATURE {
            return Err(Cause::Signature.at(at));
        }
        let mut chunks = Chunks::new(source, at + SIGNATURE.len() as u64);
        let mut prelude = Self::new(header(&mut chunks)?);
        for _ in 0..MAX_CHUNKS {
            let Some(head) = chunks.next()? else { return Err(Cause::Ends.at(source.byte_len())) };
            match &head.kind {
                b"IDAT" => return prelude.ready(head.offset),
                b"IEND" => return Err(Cause::NoImageData.at(head.offset)),
                b"PLTE" => prelude.take_palette(&mut chunks, head)?,
                kind if chunk::is_critical(*kind) => return Err(Cause::Unknown(*kind).at(head.offset)),
                _ => prelude.take_ancillary(&mut chunks, head, budget)?,
            }
        }
        Err(Limit::Parts("chunks").into())
    }

    const fn new(header: Header) -> Self {
        Self {
            header,
            palette: None,
            transparency: None,
            icc: None,
            orientation: Orientation::Upright,
            frames: 1,
            warnings: Vec::new(),
            data: 0,
        }
    }

    fn ready(mut self, data: u64) -> Result<Self> {
        if self.header.color == ColorType::Indexed && self.palette.is_none() {
            return Err(Cause::Palette.at(data));
        }
        self.data = data;
        Ok(self)
    }

    /// PLTE: critical for indexed pictures, a mere suggestion for colour, not allowed for grey and then ignored, as
    /// libpng does.
    fn take_palette(&mut self, chunks: &mut Chunks<'_>, head: Head) -> Result<()> {
        if self.header.color != ColorType::Indexed {
            return Ok(());
        }
        let sound = self.palette.is_none() && (3..=768).contains(&head.length) && head.length.is_multiple_of(3);
        if !sound {
            return Err(Cause::Palette.at(head.offset));
        }
        let mut entries = vec![0; head.length as usize];
        chunks.read(&mut entries)?;
        chunks.verify()?;
        self.palette = Some(entries);
        Ok(())
    }

    fn take_ancillary(&mut self, chunks: &mut Chunks<'_>, head: Head, budget: &Budget) -> Result<()> {
        if !matches!(&head.kind, b"tRNS" | b"acTL" | b"iCCP" | b"eXIf") {
            return Ok(());
        }
        let data = match body(chunks, head, budget) {
            Ok(data) => data,
            Err(Error::Malformed { .. } | Error::Limit(_)) => {
                self.skipped(head.kind);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        match &head.kind {
            b"tRNS" => self.take_transparency(data),
            b"acTL" => self.take_animation(&data),
            b"iCCP" => self.take_profile(&data, budget),
            _ => self.orientation = exif::orientation(&data).unwrap_or_default(),
        }
        Ok(())
    }

    /// tRNS (§11.3.1.1): alphas of the first palette entries, or the one colour that is transparent.
    fn take_transparency(&mut self, data: Vec<u8>) {
        let fits = match self.header.color {
            ColorType::Gray => data.len() == 2,
            ColorType::Rgb => data.len() == 6,
            ColorType::Indexed => {
                self.palette.as_ref().is_some_and(|palette| (1..=palette.len() / 3).contains(&data.len()))
            }
            ColorType::GrayAlpha | ColorType::Rgba => false,
        };
        if !fits {
            self.skipped(*b"tRNS");
        } else if self.transparency.is_none() {
            self.transparency = Some(data);
        }
    }

    /// acTL (§11.3.6.1): 0 frames, and more than 31 bits can say, mean that there is no animation.
    fn take_animation(&mut self, data: &[u8]) {
        let frames = data.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
        match frames {
            Some(frames @ 1..=0x7FFF_FFFF) if data.len() == 8 => self.frames = frames,
            _ => self.skipped(*b"acTL"),
        }
    }

    fn take_profile(&mut self, data: &[u8], budget: &Budget) {
        if self.icc.is_none() {
            self.icc = profile::unpack(data, self.header.color, budget);
        }
        if self.icc.is_none() {
            self.skipped(*b"iCCP");
        }
    }

    fn skipped(&mut self, kind: ChunkType) {
        let warning = match &kind {
            b"tRNS" => Warning::Skipped("tRNS"),
            b"acTL" => Warning::Skipped("acTL"),
            b"eXIf" => Warning::Skipped("eXIf"),
            _ => Warning::BrokenProfile,
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// IHDR, which must come first.
fn header(chunks: &mut Chunks<'_>) -> Result<Header> {
    let offset = chunks.position();
    let head = chunks.next()?.ok_or_else(|| Cause::Ends.at(offset))?;
    match &head.kind {
        b"IHDR" => {}
        // Xcode's rewriting of PNG for iOS: raw deflate, premultiplied BGRA.
        b"CgBI" => return Err(Error::Unsupported { format: Format::Png, feature: "Apple's CgBI variant" }),
        _ => return Err(Cause::Header("another chunk before it").at(offset)),
    }
    let mut data = [0; Header::BYTES];
    if head.length as usize != data.len() {
        return Err(Cause::Header("a wrong length").at(offset));
    }
    chunks.read(&mut data)?;
    chunks.verify()?;
    Header::parse(&data).map_err(|cause| cause.at(offset))
}

/// All data of an ancillary chunk, checked.
fn body(chunks: &mut Chunks<'_>, head: Head, budget: &Budget) -> Result<Vec<u8>> {
    if head.length > MAX_ANCILLARY {
        return Err(Cause::Length(head.length).at(head.offset));
    }
    let mut data = budget.filled(head.length.into(), 0)?;
    chunks.read(&mut data)?;
    chunks.verify()?;
    Ok(data)
}
