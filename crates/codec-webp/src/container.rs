//! The chunks of a file (RFC 9649 §2): one bitstream, or VP8X with frames and metadata.

use animation::{Blending, Disposal, Placement};
use raster::{Budget, ByteSource, Delay, Metadata, Rect, Result, Size, icc, limits};

use crate::bitstream::Bitstream;
use crate::chunk::{Chunk, Chunks, uint24};
use crate::error::Cause;

/// The bytes of `RIFF`, a length and `WEBP`.
pub(crate) const SIGNATURE_LEN: u64 = 12;
/// The bytes of an ANMF chunk before the frame's own chunks.
const FRAME_HEADER_LEN: u64 = 16;
/// Flags of VP8X (RFC 9649 §2.7.1).
pub(crate) const ANIMATION: u8 = 0b0000_0010;
pub(crate) const XMP: u8 = 0b0000_0100;
pub(crate) const EXIF: u8 = 0b0000_1000;
pub(crate) const ALPHA: u8 = 0b0001_0000;
pub(crate) const ICC: u8 = 0b0010_0000;
/// Flags of a frame: its region becomes transparent afterwards; its pixels replace those of the canvas.
pub(crate) const CLEARS: u8 = 0b01;
pub(crate) const REPLACES: u8 = 0b10;

/// One picture of a file, and its place in an animation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredFrame {
    pub(crate) picture: Bitstream,
    pub(crate) placement: Placement,
    pub(crate) delay: Delay,
}

/// The content of a file's chunks.
#[derive(Debug)]
pub(crate) struct Container {
    /// The canvas of an animation, or the picture.
    pub(crate) size: Size,
    /// How often an animation is shown, 0 without end; `None` for a still picture.
    pub(crate) plays: Option<u32>,
    /// At least one frame. A still picture covers the canvas.
    pub(crate) frames: Vec<StoredFrame>,
    /// The number of frames from the first invalid one on.
    pub(crate) skipped: u32,
    pub(crate) metadata: Metadata,
    /// Whether a damaged colour profile was left out.
    pub(crate) has_broken_profile: bool,
}

/// The relevant chunks, found by a first search of the file.
#[derive(Default)]
struct Found {
    canvas: Option<Size>,
    is_animated: bool,
    plays: Option<u32>,
    picture: Option<Bitstream>,
    alpha: Option<Chunk>,
    icc: Option<Chunk>,
    exif: Option<Chunk>,
    xmp: Option<Chunk>,
    /// The number of ANMF chunks.
    frames: u32,
}

impl Container {
    /// Reads the headers of all chunks and the metadata.
    ///
    /// # Errors
    /// `Malformed` when there is no valid picture, `Limit` for a size that is empty or too large and when the budget is
    /// too small for the list of frames and the metadata, `Io`.
    pub(crate) fn read(source: &dyn ByteSource, budget: &Budget) -> Result<Self> {
        let end = riff_end(source)?;
        let mut found = Found::default();
        let mut chunks = Chunks::new(source, SIGNATURE_LEN, end);
        while let Some(chunk) = chunks.next()? {
            found.take(chunk, &mut chunks)?;
        }
        let mut container = match (found.is_animated, found.picture) {
            (true, _) => Self::animation(&mut chunks, end, &found, budget)?,
            (false, Some(picture)) => Self::still(picture, found.canvas, stated_end(source)?)?,
            (false, None) => return Err(Cause::NoImage.at(end)),
        };
        container.read_metadata(source, &found, budget)?;
        Ok(container)
    }

    fn still(picture: Bitstream, canvas: Option<Size>, stated_end: u64) -> Result<Self> {
        limits::check_size(picture.size, limits::MAX_SIDE)?;
        if picture.end() > stated_end {
            return Err(Cause::Geometry("the image data are longer than the file should be").at(picture.offset()));
        }
        if canvas.is_some_and(|canvas| canvas != picture.size) {
            return Err(Cause::Geometry("the canvas has another size than the picture").at(picture.offset()));
        }
        let region = Rect::whole(picture.size);
        let placement = Placement { region, disposal: Disposal::Keep, blending: Blending::Replace };
        let frame = StoredFrame { picture, placement, delay: Delay { numerator: 0, denominator: 1000 } };
        Ok(Self::new(picture.size, None, vec![frame]))
    }

    /// Reads the frames, with the reader of the file's chunks: another one would hold another window over the file.
    fn animation(chunks: &mut Chunks<'_>, end: u64, found: &Found, budget: &Budget) -> Result<Self> {
        let size = found.canvas.ok_or_else(|| Cause::NoImage.at(SIGNATURE_LEN))?;
        limits::check_size(size, limits::MAX_SIDE)?;
        let mut frames = budget.reserved(found.frames.into())?;
        chunks.seek_to(SIGNATURE_LEN);
        let mut problem = None;
        while let Some(chunk) = chunks.next()? {
            if &chunk.kind != b"ANMF" {
                continue;
            }
            match frame(chunks, chunk, size) {
                Ok(frame) => frames.push(frame),
                Err(error @ raster::Error::Malformed { .. }) => {
                    problem = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        if frames.is_empty() {
            return Err(problem.unwrap_or_else(|| Cause::NoImage.at(end)));
        }
        let skipped = found.frames - frames.len() as u32;
        Ok(Self { skipped, ..Self::new(size, Some(found.plays.unwrap_or(1)), frames) })
    }

    fn new(size: Size, plays: Option<u32>, frames: Vec<StoredFrame>) -> Self {
        Self { size, plays, frames, skipped: 0, metadata: Metadata::default(), has_broken_profile: false }
    }

    fn read_metadata(&mut self, source: &dyn ByteSource, found: &Found, budget: &Budget) -> Result<()> {
        let read = |chunk: Option<Chunk>| chunk.map(|chunk| bytes_of(source, chunk, budget)).transpose();
        if let Some(profile) = read(found.icc)? {
            self.metadata.icc = icc::sound(&profile, *b"RGB ").map(<[u8]>::to_vec);
            self.has_broken_profile = self.metadata.icc.is_none();
        }
        self.metadata.exif = read(found.exif)?.map(without_exif_code).filter(|exif| !exif.is_empty());
        self.metadata.xmp = read(found.xmp)?.filter(|xmp| !xmp.is_empty());
        Ok(())
    }
}

/// Returns the offset behind the last chunk: the end by the header's length, or the end of the file.
pub(crate) fn riff_end(source: &dyn ByteSource) -> Result<u64> {
    Ok(stated_end(source)?.min(source.byte_len()))
}

/// Returns the offset behind the last chunk by the header's length.
fn stated_end(source: &dyn ByteSource) -> Result<u64> {
    let mut head = [0; SIGNATURE_LEN as usize];
    source.read_full_at(0, &mut head)?;
    let [riff @ .., a, b, c, d, w, e, p0, p1] = head;
    if &riff != b"RIFF" || [w, e, p0, p1] != *b"WEBP" {
        return Err(Cause::Signature.at(0));
    }
    Ok(u64::from(u32::from_le_bytes([a, b, c, d])) + 8)
}

impl Found {
    /// Adds a chunk of the file. The first of each kind is used.
    fn take(&mut self, chunk: Chunk, chunks: &mut Chunks<'_>) -> Result<()> {
        match &chunk.kind {
            b"VP8X" if self.canvas.is_none() => {
                let [flags, _, _, _, size @ ..]: [u8; 10] = head(chunks, chunk)?;
                self.canvas = Some(size_less_one(size));
                self.is_animated = flags & ANIMATION != 0;
            }
            b"ANIM" if self.plays.is_none() => {
                let [.., low, high]: [u8; 6] = head(chunks, chunk)?;
                self.plays = Some(u16::from_le_bytes([low, high]).into());
            }
            b"ANMF" => self.frames += 1,
            b"ALPH" if self.alpha.is_none() && self.picture.is_none() => self.alpha = Some(chunk),
            b"VP8 " | b"VP8L" if self.picture.is_none() && !self.is_animated => {
                self.picture = Some(picture(chunks, chunk, self.alpha)?);
            }
            b"ICCP" => self.icc = self.icc.or(Some(chunk)),
            b"EXIF" => self.exif = self.exif.or(Some(chunk)),
            b"XMP " => self.xmp = self.xmp.or(Some(chunk)),
            _ => {}
        }
        Ok(())
    }
}

/// Reads the frame of an ANMF chunk (RFC 9649 §2.7.1.1).
fn frame(chunks: &mut Chunks<'_>, chunk: Chunk, canvas: Size) -> Result<StoredFrame> {
    let header: [u8; FRAME_HEADER_LEN as usize] = head(chunks, chunk)?;
    let [x0, x1, x2, y0, y1, y2, size @ .., d0, d1, d2, flags] = header;
    let size = size_less_one(size);
    let region =
        Rect { x: 2 * uint24([x0, x1, x2]), y: 2 * uint24([y0, y1, y2]), width: size.width, height: size.height };
    if region.x + region.width > canvas.width || region.y + region.height > canvas.height {
        return Err(Cause::Geometry("a frame lies beyond the canvas").at(chunk.at));
    }
    let picture = chunks.inside(chunk, FRAME_HEADER_LEN, |chunks| frame_picture(chunks, chunk.at))?;
    if picture.size != size {
        return Err(Cause::Geometry("a frame has another size than its picture").at(chunk.at));
    }
    let disposal = if flags & CLEARS == 0 { Disposal::Keep } else { Disposal::Clear };
    let blending = if flags & REPLACES == 0 { Blending::Over } else { Blending::Replace };
    let delay = Delay { numerator: uint24([d0, d1, d2]), denominator: 1000 };
    Ok(StoredFrame { picture, placement: Placement { region, disposal, blending }, delay })
}

/// Reads the picture among the chunks of a frame, whose data begin at `offset`.
fn frame_picture(chunks: &mut Chunks<'_>, offset: u64) -> Result<Bitstream> {
    let mut alpha = None;
    while let Some(chunk) = chunks.next()? {
        match &chunk.kind {
            b"ALPH" => alpha = alpha.or(Some(chunk)),
            b"VP8 " | b"VP8L" => return picture(chunks, chunk, alpha),
            _ => {}
        }
    }
    Err(Cause::NoImage.at(offset))
}

/// Reads the header of a `VP8 ` or `VP8L` chunk.
fn picture(chunks: &mut Chunks<'_>, chunk: Chunk, alpha: Option<Chunk>) -> Result<Bitstream> {
    match &chunk.kind {
        b"VP8 " => Bitstream::lossy(chunk, head(chunks, chunk)?, alpha),
        _ => Bitstream::lossless(chunk, head(chunks, chunk)?),
    }
}

/// Reads the first bytes of a chunk.
fn head<const N: usize>(chunks: &mut Chunks<'_>, chunk: Chunk) -> Result<[u8; N]> {
    chunks.head(chunk)?.ok_or_else(|| Cause::Short(chunk.kind).at(chunk.at))
}

/// Returns a width and a height, each stored minus one in 24 bits.
fn size_less_one([a, b, c, d, e, f]: [u8; 6]) -> Size {
    Size::new(uint24([a, b, c]) + 1, uint24([d, e, f]) + 1)
}

/// Reads all data of a chunk, up to the end of the file.
fn bytes_of(source: &dyn ByteSource, chunk: Chunk, budget: &Budget) -> Result<Vec<u8>> {
    let len = u64::from(chunk.len).min(source.byte_len().saturating_sub(chunk.at));
    let mut bytes = budget.filled(len, 0)?;
    let read = source.read_full_at(chunk.at, &mut bytes)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Returns EXIF without the code of a JPEG's segment, which some programs leave before it.
fn without_exif_code(bytes: Vec<u8>) -> Vec<u8> {
    match bytes.strip_prefix(b"Exif\0\0") {
        Some(exif) => exif.to_vec(),
        None => bytes,
    }
}
