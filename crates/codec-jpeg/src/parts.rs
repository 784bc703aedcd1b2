//! Where a file's own EXIF, XMP, IPTC and comments lie, and their reading.

use raster::{Budget, ByteSource, Metadata, Resolution, Result, Text, photoshop};

use crate::extended;
use crate::segments::{EXIF, PHOTOSHOP, XMP};

/// Segments of Photoshop's resources that are looked through, 16 MiB of them: beside IPTC they hold paths and previews.
const MAX_PIECES: usize = 256;

/// Comments that are carried, 1 MiB of them; files of the corpus have one at most.
const MAX_COMMENTS: usize = 16;

/// What was found before the first scan: the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    exif: Option<Span>,
    xmp: Option<Span>,
    extended: Vec<extended::Piece>,
    /// Pieces of one run of resources.
    photoshop: Vec<Span>,
    comments: Vec<Text>,
    resolution: Option<Resolution>,
}

/// Bytes of the file.
#[derive(Clone, Copy, Debug)]
struct Span {
    offset: u64,
    len: usize,
}

impl Parts {
    /// Looks at an application segment or a comment whose payload begins at `start`.
    pub(crate) fn take(&mut self, code: u8, payload: &[u8], start: u64) {
        let span = |name: &[u8]| {
            let data = payload.strip_prefix(name)?;
            Some(Span { offset: start + name.len() as u64, len: data.len() })
        };
        match code {
            0xE0 => self.resolution = self.resolution.or_else(|| density(payload)),
            0xE1 => {
                self.exif = self.exif.or_else(|| span(EXIF));
                self.xmp = self.xmp.or_else(|| span(XMP));
                if self.extended.len() < extended::MAX_PIECES {
                    self.extended.extend(extended::Piece::parse(payload, start));
                }
            }
            0xFE if self.comments.len() < MAX_COMMENTS => self.comments.extend(comment(payload)),
            0xED if self.photoshop.len() < MAX_PIECES => self.photoshop.extend(span(PHOTOSHOP)),
            _ => {}
        }
    }

    /// Whether any piece of extended XMP was found.
    pub(crate) fn has_extension(&self) -> bool {
        !self.extended.is_empty()
    }

    /// Reads them all, beside the profile.
    ///
    /// # Errors
    /// `Limit` when the budget has no room, `Io`.
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
            Some(xmp) => extended::assemble(&self.extended, xmp, source, budget)?,
            None => None,
        };
        Ok(Metadata {
            icc,
            exif: read(self.exif.as_slice())?,
            xmp,
            xmp_extension,
            iptc,
            texts: self.comments.clone(),
            resolution: self.resolution,
            ..Metadata::default()
        })
    }
}

/// COM's text (T.81 B.2.4.5), whose code nobody tells: UTF-8 if it can be, else Latin-1. Zeros end it; with control codes
/// in it, it is no text.
fn comment(payload: &[u8]) -> Option<Text> {
    let end = payload.iter().rposition(|&byte| byte != 0)? + 1;
    let bytes = &payload[..end];
    let text =
        str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned);
    let is_text = text.chars().all(|char| !char.is_ascii_control() || char.is_ascii_whitespace());
    is_text.then(|| Text::comment(text))
}

/// JFIF's density in dots per inch (1) or centimetre (2); mere proportions (0) say nothing.
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
