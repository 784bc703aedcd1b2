//! The positions of EXIF, XMP, IPTC and comments in a file, and their reading.

use raster::{Budget, ByteSource, Metadata, Resolution, Result, Text, photoshop};

use crate::extended_xmp;
use crate::marker::code;
use crate::segments::{
    APPLE_GAIN_MAP, EXIF, GAIN_MAP, MULTI_PICTURE, PHOTOSHOP, Span, XMP, announces_gain_map, contains, joined,
};

/// The largest number of segments of Photoshop's resources that are read: 16 MiB. Beside IPTC they contain paths and
/// previews.
const MAX_PIECES: usize = 256;

/// The largest number of comments that are kept: 1 MiB. Files of the corpus have at most one.
const MAX_COMMENTS: usize = 16;

/// The positions of metadata before the first scan; the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct MetadataParts {
    exif: Option<Span>,
    xmp: Option<Span>,
    extended: Vec<extended_xmp::Piece>,
    /// The segments of Photoshop's resources, which are one sequence of bytes.
    photoshop: Vec<Span>,
    comments: Vec<Span>,
    resolution: Option<Resolution>,
    /// Whether XMP describes a gain map.
    gain_map_xmp: bool,
    /// Whether XMP says that the picture is a gain map of Apple.
    is_apple_gain_map: bool,
    /// The data of ISO 21496-1.
    gain_map_iso: Option<Span>,
    /// The list of the file's pictures, a TIFF structure.
    pictures: Option<Span>,
}

impl MetadataParts {
    /// Adds an application segment or a comment whose payload begins at `start`.
    pub(crate) fn take(&mut self, code: u8, payload: &[u8], start: u64) {
        let span = |name: &[u8]| {
            let data = payload.strip_prefix(name)?;
            Some(Span { offset: start + name.len() as u64, len: data.len() })
        };
        match code {
            code::APP0 => self.resolution = self.resolution.or_else(|| density(payload)),
            code::APP1 => {
                self.exif = self.exif.or_else(|| span(EXIF));
                self.xmp = self.xmp.or_else(|| span(XMP));
                self.gain_map_xmp |= payload.starts_with(XMP) && announces_gain_map(payload);
                self.is_apple_gain_map |= payload.starts_with(XMP) && contains(payload, APPLE_GAIN_MAP);
                if self.extended.len() < extended_xmp::MAX_PIECES {
                    self.extended.extend(extended_xmp::Piece::parse(payload, start));
                }
            }
            code::APP2 => {
                self.gain_map_iso = self.gain_map_iso.or_else(|| span(GAIN_MAP));
                self.pictures = self.pictures.or_else(|| span(MULTI_PICTURE));
            }
            code::COM if self.comments.len() < MAX_COMMENTS => self.comments.extend(span(b"")),
            code::APP13 if self.photoshop.len() < MAX_PIECES => self.photoshop.extend(span(PHOTOSHOP)),
            _ => {}
        }
    }

    /// Whether any piece of extended XMP was found.
    pub(crate) fn has_extension(&self) -> bool {
        !self.extended.is_empty()
    }

    /// Whether the file states that a gain map follows its image, or that its image is one.
    pub(crate) const fn has_gain_map(&self) -> bool {
        self.gain_map_xmp || self.gain_map_iso.is_some()
    }

    /// Returns the range of the list of pictures, to which its offsets refer.
    pub(crate) const fn pictures(&self) -> Option<Span> {
        self.pictures
    }

    /// Returns the XMP packet and the data of ISO 21496-1 that describe a gain map.
    ///
    /// # Errors
    /// `Limit` when the budget is too small, `Io`.
    pub(crate) fn gain_map(&self, source: &dyn ByteSource, budget: &Budget) -> Result<[Option<Vec<u8>>; 2]> {
        let read = |span: Option<Span>| match span {
            Some(span) => joined([span], source, budget),
            None => Ok(None),
        };
        Ok([read(self.xmp.filter(|_| self.gain_map_xmp || self.is_apple_gain_map))?, read(self.gain_map_iso)?])
    }

    /// Reads all metadata and adds the profile.
    ///
    /// # Errors
    /// `Limit` when the budget is too small, `Io`.
    pub(crate) fn read(&self, icc: Option<Vec<u8>>, source: &dyn ByteSource, budget: &Budget) -> Result<Metadata> {
        let read = |spans: &[Span]| -> Result<Option<Vec<u8>>> {
            let total = spans.iter().map(|span| span.len).sum::<usize>();
            if total == 0 {
                return Ok(None);
            }
            let mut bytes = budget.filled(total as u64, 0_u8)?;
            let mut filled = 0;
            for span in spans {
                filled += source.read_full_at(span.offset, &mut bytes[filled..filled + span.len])?;
            }
            bytes.truncate(filled);
            Ok(Some(bytes))
        };
        let iptc = read(&self.photoshop)?.and_then(|resources| photoshop::iptc(&resources).map(<[u8]>::to_vec));
        let xmp = read(self.xmp.as_slice())?;
        let xmp_extension = match &xmp {
            Some(xmp) => extended_xmp::assemble(&self.extended, xmp, source, budget)?,
            None => None,
        };
        let mut texts = Vec::new();
        for comment in &self.comments {
            let Some(bytes) = read(&[*comment])? else { continue };
            // Latin-1 becomes up to twice as long.
            budget.charge(2 * bytes.len() as u64)?;
            texts.extend(Text::comment_from(&bytes));
        }
        Ok(Metadata {
            icc,
            exif: read(self.exif.as_slice())?,
            xmp,
            xmp_extension,
            iptc,
            texts,
            resolution: self.resolution,
            ..Metadata::default()
        })
    }
}

/// Returns JFIF's density, in dots per inch (unit 1) or per centimetre (unit 2). Unit 0 states an aspect ratio only.
fn density(payload: &[u8]) -> Option<Resolution> {
    let (&[_, _, unit, x1, x0, y1, y0], _) = payload.strip_prefix(b"JFIF\0")?.split_first_chunk()?;
    let per_inch = match unit {
        1 => 1.0,
        2 => 2.54,
        _ => return None,
    };
    let (x, y) = (u16::from_be_bytes([x1, x0]), u16::from_be_bytes([y1, y0]));
    (x > 0 && y > 0).then(|| Resolution { x: f64::from(x) * per_inch, y: f64::from(y) * per_inch })
}
