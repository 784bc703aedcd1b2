//! The file header and the info headers, most of which extend the one before:
//!
//! | bytes | name | adds |
//! |---|---|---|
//! | 12 | `BITMAPCOREHEADER`, OS/2 1 | 16-bit sides; three bytes a palette entry |
//! | 16 … 64 | `BITMAPINFO2`, OS/2 2 | any prefix of it; compressions 3 and 4 mean other things |
//! | 40 | `BITMAPINFOHEADER` | 32-bit sides, compression; masks may follow it |
//! | 52, 56 | "V2", "V3" | masks inside the header; with alpha |
//! | 108 | `BITMAPV4HEADER` | calibrated colour (not used here) |
//! | 124 | `BITMAPV5HEADER` | ICC profile |

use raster::limits::check_size;
use raster::{ByteSource, Error, Format, Resolution, Result, Size};

use super::mask::Masks;
use crate::density;
use crate::error::Cause;

/// `BITMAPFILEHEADER`: magic, file size (often wrong, never used), two reserved words, offset of the pixels.
const FILE_HEADER: usize = 14;
const V5: usize = 124;
/// The length of the masks behind a `BITMAPINFOHEADER`, the longest header with masks behind it: four of them.
const MASKS_BEHIND: usize = 16;

/// The position of `biWidth` and the next fields in the info header, to which errors refer.
const SIDES: u64 = 4;
const BITS: u64 = 14;
const COMPRESSION: u64 = 16;
const COLORS: u64 = 32;
const MASKS: u64 = 40;

/// The masks of pixels whose bytes are blue, green, red, alpha.
const BGRA: [u32; 4] = [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000];

/// The values of the headers, checked as far as possible without the data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) size: Size,
    /// Whether the first row in the file is the topmost.
    pub(super) top_down: bool,
    /// The bits of a pixel of uncompressed rows, or of a palette index: 1, 2, 4, 8, 16, 24, 32 or 64.
    pub(super) bits: u16,
    /// The code of compressed rows.
    pub(super) rle: Option<RunLength>,
    /// The masks; only for 16 and 32 bits.
    pub(super) masks: Option<Masks>,
    pub(super) palette: PaletteSpan,
    /// The offset of the first row in the file.
    pub(super) pixels_at: u64,
    /// The offset and length of the embedded ICC profile.
    pub(super) profile: Option<(u64, u32)>,
    pub(super) resolution: Option<Resolution>,
}

/// The run-length codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunLength {
    Rle4,
    Rle8,
    /// The code of OS/2.
    Rle24,
}

/// The position of the palette.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaletteSpan {
    pub(super) at: u64,
    /// The number of entries in the file, at most 256.
    pub(super) entries: u32,
    /// The bytes of an entry, 3 or 4: blue, green, red, unused.
    pub(super) entry_len: u32,
}

/// The family of headers, which gives the fields their meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Core,
    Os2,
    Windows,
}

/// The fields of an info header. Fields beyond the end of a short header read as 0, which is the default of each.
struct Fields {
    /// The offset of the info header in the file.
    at: u64,
    /// The info header, and the bytes behind it that may belong to it.
    head: [u8; V5 + MASKS_BEHIND],
    family: Family,
    header_len: usize,
    /// The offset of the pixels as the file header states it; 0, which is not valid, when there is none.
    pixels_at: u64,
}

impl Fields {
    /// Reads the fields of a file.
    fn of_file(source: &dyn ByteSource) -> Result<Self> {
        let mut start = [0; FILE_HEADER + V5 + MASKS_BEHIND];
        let filled = source.read_full_at(0, &mut start)?;
        let (file_header, head) = start.split_at(FILE_HEADER);
        if !file_header.starts_with(b"BM") {
            return Err(Cause::NoMagic.at(0));
        }
        let fields = Self::parse(FILE_HEADER as u64, head, filled.saturating_sub(FILE_HEADER))?;
        Ok(Self { pixels_at: u32_at(file_header, 10).into(), ..fields })
    }

    /// Reads the fields of an icon's entry, which has no file header.
    fn of_icon(source: &dyn ByteSource, at: u64) -> Result<Self> {
        let mut head = [0; V5 + MASKS_BEHIND];
        let filled = source.read_full_at(at, &mut head)?;
        Self::parse(at, &head, filled)
    }

    /// Parses `head`, of which `filled` bytes were in the file.
    fn parse(at: u64, head: &[u8], filled: usize) -> Result<Self> {
        if filled < 4 {
            return Err(Cause::HeaderCut.at(at + filled as u64));
        }
        let claimed = u32_at(head, 0);
        let family = match claimed {
            12 => Family::Core,
            40 | 52 | 56 | 108 | 124 => Family::Windows,
            42 | 46 => Family::Os2,
            16..=64 if claimed.is_multiple_of(4) => Family::Os2,
            _ => return Err(Cause::HeaderLength(claimed).at(at)),
        };
        let header_len = claimed as usize;
        if filled < header_len {
            return Err(Cause::HeaderCut.at(at + filled as u64));
        }
        let mut fields = Self { at, head: [0; V5 + MASKS_BEHIND], family, header_len, pixels_at: 0 };
        fields.head.copy_from_slice(head);
        Ok(fields)
    }

    /// Returns the 32-bit field at `offset` of the info header.
    fn u32(&self, offset: usize) -> u32 {
        if offset + 4 <= self.header_len { u32_at(&self.head, offset) } else { 0 }
    }

    /// Returns the `nth` 32-bit word behind the info header, where `BITMAPINFOHEADER` has its masks.
    fn u32_behind(&self, nth: usize) -> u32 {
        u32_at(&self.head, self.header_len + 4 * nth)
    }

    /// Returns the size, and whether rows are stored top-down.
    fn sides(&self) -> Result<(Size, bool)> {
        if self.family == Family::Core {
            let sides = self.u32(4);
            return Ok((Size::new(sides & 0xFFFF, sides >> 16), false));
        }
        let (width, height) = (self.u32(4).cast_signed(), self.u32(8).cast_signed());
        let width = u32::try_from(width).map_err(|_| Cause::Width(width).at(self.at + SIDES))?;
        Ok((Size::new(width, height.unsigned_abs()), height < 0))
    }

    /// Returns `biBitCount`, the upper half of a word. Its lower half is the number of planes, which is always 1 and
    /// ignored.
    fn bits(&self) -> u16 {
        (self.u32(if self.family == Family::Core { 8 } else { 12 }) >> 16) as u16
    }
}

/// The coding of pixels, `biCompression`. The meaning of its numbers depends on the family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compression {
    Rgb,
    Rle(RunLength),
    /// Masks. The flag states whether the masks behind a short header have a fourth for alpha.
    Bitfields(bool),
}

impl Compression {
    fn of(fields: &Fields, bits: u16) -> Result<Self> {
        let unsupported = |feature| Err(Error::Unsupported { format: Format::Bmp, feature });
        let compression = if fields.family == Family::Core { 0 } else { fields.u32(16) };
        let found = match compression {
            0 => Self::Rgb,
            1 => Self::Rle(RunLength::Rle8),
            2 => Self::Rle(RunLength::Rle4),
            3 if bits == 1 || fields.family == Family::Os2 => return unsupported("Huffman code"),
            3 => Self::Bitfields(false),
            4 if bits == 24 => Self::Rle(RunLength::Rle24),
            4 => return unsupported("embedded JPEG"),
            5 => return unsupported("embedded PNG"),
            6 => Self::Bitfields(true),
            11..=13 => return unsupported("CMYK"),
            _ => return Err(Cause::Compression(compression).at(fields.at + COMPRESSION)),
        };
        let fits = match found {
            Self::Rgb => matches!(bits, 1 | 2 | 4 | 8 | 16 | 24 | 32 | 64),
            // Fewer bits than the code's reduce the length of the palette only.
            Self::Rle(RunLength::Rle8) => matches!(bits, 1 | 2 | 4 | 8),
            Self::Rle(RunLength::Rle4) => matches!(bits, 1 | 2 | 4),
            Self::Rle(RunLength::Rle24) => true,
            Self::Bitfields(_) => matches!(bits, 16 | 32),
        };
        if fits { Ok(found) } else { Err(Cause::Bits { bits, compression }.at(fields.at + BITS)) }
    }
}

impl Header {
    /// Reads the header of a file.
    pub(super) fn read(source: &dyn ByteSource) -> Result<Self> {
        let fields = Fields::of_file(source)?;
        let (size, top_down) = fields.sides()?;
        Self::new(&fields, size, top_down)
    }

    /// Reads the header of an icon's entry whose info header is at `at`. Its height includes a second bitmap of one bit
    /// a pixel, the mask, which follows the first. The fourth byte of plain 32-bit pixels is alpha.
    pub(super) fn read_icon(source: &dyn ByteSource, at: u64) -> Result<Self> {
        let fields = Fields::of_icon(source, at)?;
        let (both, top_down) = fields.sides()?;
        let mut header = Self::new(&fields, Size::new(both.width, both.height / 2), top_down)?;
        if header.bits == 32 && fields.u32(COMPRESSION as usize) == 0 {
            header.masks = Some(Masks::new(BGRA).map_err(|cause| cause.at(at + MASKS))?);
        }
        Ok(header)
    }

    fn new(fields: &Fields, size: Size, top_down: bool) -> Result<Self> {
        check_size(size, raster::limits::MAX_SIDE)?;
        let bits = fields.bits();
        let compression = Compression::of(fields, bits)?;
        let (masks, masks_behind) = masks(fields, compression, bits)?;
        let tables_at = fields.at + (fields.header_len + 4 * masks_behind) as u64;
        let (palette, pixels_at) = palette_and_pixels(fields, bits, tables_at)?;
        let rle = if let Compression::Rle(code) = compression { Some(code) } else { None };
        let (profile, resolution) = (profile(fields), resolution(fields));
        Ok(Self { size, top_down, bits, rle, masks, palette, pixels_at, profile, resolution })
    }

    /// Returns the bytes of an uncompressed row, without padding.
    pub(super) const fn row_len(&self) -> u64 {
        (self.size.width as u64 * self.bits as u64).div_ceil(8)
    }

    /// Returns the bytes from one uncompressed row to the next: a multiple of four.
    pub(super) const fn stride(&self) -> u64 {
        self.row_len().next_multiple_of(4)
    }
}

/// Returns the masks of 16- and 32-bit pixels, and how many 32-bit words behind the header contain them.
///
/// Alpha needs a mask of its own: the fourth byte under a short header is padding, whatever its value. A mask is used
/// even when alpha is 0 everywhere, as in ImageMagick, Pillow and Chromium 156. Plain RGB has fixed masks; the alpha
/// mask of a long header only states that the fourth byte is alpha, again as in Chromium.
fn masks(fields: &Fields, compression: Compression, bits: u16) -> Result<(Option<Masks>, usize)> {
    if !matches!(bits, 16 | 32) {
        return Ok((None, 0));
    }
    let inside = fields.family == Family::Windows && fields.header_len >= 52;
    let (masks, behind) = match compression {
        Compression::Bitfields(_) if inside => ([40, 44, 48, 52].map(|offset| fields.u32(offset)), 0),
        Compression::Bitfields(false) => ([fields.u32_behind(0), fields.u32_behind(1), fields.u32_behind(2), 0], 3),
        Compression::Bitfields(true) => ([0, 1, 2, 3].map(|nth| fields.u32_behind(nth)), 4),
        _ if bits == 16 => ([0x7C00, 0x03E0, 0x001F, 0], 0),
        _ if inside && fields.u32(52) != 0 => (BGRA, 0),
        _ => ([BGRA[0], BGRA[1], BGRA[2], 0], 0),
    };
    // Some files have alpha masks beyond the bits of their pixels.
    let in_pixel = u32::MAX >> (32 - bits);
    let masks = Masks::new(masks.map(|mask| mask & in_pixel)).map_err(|cause| cause.at(fields.at + MASKS))?;
    Ok((Some(masks), behind))
}

/// Returns the positions of palette and pixels. The palette ends where the pixels begin, even when its stated length is
/// larger. The pixels follow directly when the stated offset points into the headers, or leaves no space at all for a
/// palette of stated length.
fn palette_and_pixels(fields: &Fields, bits: u16, tables_at: u64) -> Result<(PaletteSpan, u64)> {
    let (claimed, entry_len) = if fields.family == Family::Core { (0, 3) } else { (fields.u32(32), 4) };
    // Counts larger than an index can address are common and harmless; a negative count is damage.
    if claimed.cast_signed() < 0 {
        return Err(Cause::Colors(claimed).at(fields.at + COLORS));
    }
    let most = if bits <= 8 { 1 << bits } else { 0 };
    let entries = if claimed == 0 || claimed > most { most } else { claimed };
    let offset = fields.pixels_at;
    let least = tables_at + if bits <= 8 && claimed > 0 { u64::from(entry_len) } else { 0 };
    if offset < least {
        // True-colour files may contain a palette for displays of few colours.
        let skipped = if bits <= 8 { entries } else { claimed };
        let span = PaletteSpan { at: tables_at, entries, entry_len };
        return Ok((span, tables_at + u64::from(skipped) * u64::from(entry_len)));
    }
    let room = (offset - tables_at) / u64::from(entry_len);
    let entries = u64::from(entries).min(room) as u32;
    Ok((PaletteSpan { at: tables_at, entries, entry_len }, offset))
}

/// Returns the embedded profile of `BITMAPV5HEADER`. A linked profile (`LINK`) is the name of a file on the writer's
/// disk and is ignored.
fn profile(fields: &Fields) -> Option<(u64, u32)> {
    const PROFILE_EMBEDDED: u32 = u32::from_be_bytes(*b"MBED");
    let embedded = fields.header_len == V5 && fields.u32(56) == PROFILE_EMBEDDED;
    embedded.then(|| (fields.at + u64::from(fields.u32(112)), fields.u32(116)))
}

/// Returns `biXPelsPerMeter` and `biYPelsPerMeter`, which OS/2 has at the same position, if the header is long enough
/// for both.
fn resolution(fields: &Fields) -> Option<Resolution> {
    const PELS_PER_METER: [usize; 2] = [24, 28];
    density::parse(PELS_PER_METER.map(|offset| fields.u32(offset).cast_signed()))
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..).and_then(|rest| rest.first_chunk()).map_or(0, |&word| u32::from_le_bytes(word))
}
