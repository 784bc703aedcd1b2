//! The chunks before the first IDAT: the header, and the ancillary chunks that affect the picture.
//!
//! A damaged ancillary chunk causes at most a warning.

use raster::{Budget, ByteSource, Error, Format, Limit, Metadata, Notes, Orientation, Result, Warning};

use super::colorimetry::{Colorimetry, Colors};
use super::profile;
use crate::animation_chunks::AnimationControl;
use crate::chunk::{self, ChunkHeader, ChunkType, Chunks, SIGNATURE};
use crate::error::Cause;
use crate::header::{ColorType, Header};
use crate::{density, text};

/// The largest number of chunks before the image data. The corpus has at most 35; a forged file may have millions of
/// empty ones.
const MAX_CHUNKS: u32 = 100_000;

/// The largest ancillary chunk that is read, in bytes. The largest ICC profiles in use have some 4 MB.
const MAX_ANCILLARY: u32 = 16 << 20;

/// The ancillary chunks that are read.
#[rustfmt::skip]
const WANTED: [ChunkType; 14] = [
    *b"tRNS", *b"acTL", *b"iCCP", *b"eXIf", *b"pHYs", *b"gAMA", *b"cHRM", *b"sRGB", *b"cICP", *b"mDCV", *b"cLLI",
    *b"iTXt", *b"zTXt", *b"tEXt",
];

/// The content of the chunks before the pixels.
#[derive(Debug)]
pub(crate) struct Prelude {
    pub(crate) header: Header,
    /// The data of PLTE: red, green, blue of 1 to 256 entries. They exist if the colour type is `Indexed`.
    pub(crate) palette: Option<Vec<u8>>,
    /// The data of tRNS, of the length that the colour type requires.
    pub(crate) transparency: Option<Vec<u8>>,
    pub(crate) metadata: Metadata,
    colorimetry: Colorimetry,
    pub(crate) orientation: Orientation,
    /// The data of acTL, if there is one.
    pub(crate) animation: Option<AnimationControl>,
    pub(crate) notes: Notes,
    /// The offset of the first IDAT chunk.
    pub(crate) data: u64,
}

impl Prelude {
    /// Reads the chunks up to the first IDAT of the picture whose signature is at `at`.
    pub(crate) fn read(source: &dyn ByteSource, at: u64, budget: &Budget, notes: &Notes) -> Result<Self> {
        let mut signature = [0; SIGNATURE.len()];
        source.read_full_at(at, &mut signature)?;
        if signature != SIGNATURE {
            return Err(Cause::Signature.at(at));
        }
        let mut chunks = Chunks::new(source, at + SIGNATURE.len() as u64);
        let mut prelude = Self::new(header(&mut chunks)?, notes.clone());
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

    fn new(header: Header, notes: Notes) -> Self {
        Self {
            header,
            palette: None,
            transparency: None,
            metadata: Metadata::default(),
            colorimetry: Colorimetry::NONE,
            orientation: Orientation::Upright,
            animation: None,
            notes,
            data: 0,
        }
    }

    fn ready(mut self, data: u64) -> Result<Self> {
        if self.header.color == ColorType::Indexed && self.palette.is_none() {
            return Err(Cause::Palette.at(data));
        }
        self.data = data;
        self.settle_colors();
        Ok(self)
    }

    /// Reads PLTE. It is required for indexed pictures and optional for colour. It is not allowed for grey and then
    /// ignored, as in libpng.
    fn take_palette(&mut self, chunks: &mut Chunks<'_>, head: ChunkHeader) -> Result<()> {
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

    fn take_ancillary(&mut self, chunks: &mut Chunks<'_>, head: ChunkHeader, budget: &Budget) -> Result<()> {
        if !WANTED.contains(&head.kind) {
            return Ok(());
        }
        // The data of tRNS and eXIf are kept unchanged. The data of other chunks are dropped at the end of this
        // function; the code that keeps a part of them charges it.
        let scope = budget.scope();
        let payer = if matches!(&head.kind, b"tRNS" | b"eXIf") { budget } else { &scope };
        let data = match body(chunks, head, payer) {
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
            b"gAMA" | b"cHRM" | b"sRGB" | b"cICP" | b"mDCV" | b"cLLI" => {
                if !self.colorimetry.take(head.kind, &data) {
                    self.skipped(head.kind);
                }
            }
            b"pHYs" => self.metadata.resolution = density::parse(&data),
            b"eXIf" => {
                self.orientation = ifd::orientation(&data).unwrap_or_default();
                self.metadata.exif = Some(data);
            }
            _ => {
                if text::take(head.kind, &data, &mut self.metadata, budget).is_none() {
                    self.skipped(head.kind);
                }
            }
        }
        Ok(())
    }

    /// Reads the next chunk, eXIf or text, behind the pixels. An orientation there is ignored: Chromium 156 and Firefox
    /// 153 show the picture as stored.
    pub(super) fn take_behind(&mut self, chunks: &mut Chunks<'_>, budget: &Budget) -> Result<()> {
        let (orientation, exif) = (self.orientation, self.metadata.exif.take());
        if let Some(head) = chunks.next()? {
            self.take_ancillary(chunks, head, budget)?;
        }
        self.orientation = orientation;
        self.metadata.exif = exif.or(self.metadata.exif.take());
        Ok(())
    }

    /// Reads tRNS (§11.3.1.1): alphas of the first palette entries, or the one colour that is transparent.
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

    /// Reads acTL. A second one means that there is no animation.
    fn take_animation(&mut self, data: &[u8]) {
        let control = AnimationControl::parse(data);
        if control.is_none() || self.animation.is_some() {
            self.skipped(*b"acTL");
        }
        self.animation = if self.animation.is_some() { None } else { control };
    }

    fn take_profile(&mut self, data: &[u8], budget: &Budget) {
        if self.metadata.icc.is_none() {
            self.metadata.icc = profile::unpack(data, self.header.color, budget);
        }
        if self.metadata.icc.is_none() {
            self.skipped(*b"iCCP");
        }
    }

    /// Converts the other colour chunks to a profile, if they apply and a profile can describe them.
    fn settle_colors(&mut self) {
        self.metadata.signal = self.colorimetry.signal();
        match self.colorimetry.colors(self.header.color, self.metadata.icc.is_some()) {
            Colors::Embedded => {}
            Colors::Srgb => self.metadata.icc = None,
            Colors::Profile(profile) => self.metadata.icc = Some(profile),
            Colors::Unknown if self.metadata.signal.is_some() => {} // the signal is kept
            Colors::Unknown => self.skipped(*b"cHRM"),
        }
    }

    fn skipped(&mut self, kind: ChunkType) {
        let warning = match &kind {
            b"tRNS" => Warning::Skipped("tRNS"),
            b"acTL" => Warning::Skipped("acTL"),
            b"eXIf" => Warning::Skipped("eXIf"),
            b"pHYs" => Warning::Skipped("pHYs"),
            b"gAMA" | b"cHRM" | b"sRGB" | b"cICP" | b"mDCV" | b"cLLI" => Warning::Skipped("color"),
            b"iTXt" | b"zTXt" | b"tEXt" => Warning::Skipped("text"),
            _ => Warning::BrokenProfile,
        };
        self.notes.warn(warning);
    }
}

/// Reads IHDR, which must be the first chunk.
fn header(chunks: &mut Chunks<'_>) -> Result<Header> {
    let offset = chunks.position();
    let head = chunks.next()?.ok_or_else(|| Cause::Ends.at(offset))?;
    match &head.kind {
        b"IHDR" => {}
        // The variant that Xcode writes for iOS: raw deflate, premultiplied BGRA.
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

/// Reads all data of an ancillary chunk and checks its CRC.
fn body(chunks: &mut Chunks<'_>, head: ChunkHeader, budget: &Budget) -> Result<Vec<u8>> {
    if head.length > MAX_ANCILLARY {
        return Err(Cause::Length(head.length).at(head.offset));
    }
    let mut data = budget.filled(head.length.into(), 0)?;
    chunks.read(&mut data)?;
    chunks.verify()?;
    Ok(data)
}
