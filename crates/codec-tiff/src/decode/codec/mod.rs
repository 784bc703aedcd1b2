//! The compressions, one file each. Every one takes the bytes of one strip or tile after another and gives the lines in
//! them, as they were before compression, into the caller's buffer.

mod deflate;
mod fax;
mod jpeg;
mod lzma;
mod lzw;
mod packbits;
mod plain;
mod sgilog;
mod thunder;
mod webp;
mod zstd;

use raster::{Budget, ByteSource, Error, Format, Result};

use self::deflate::Deflate;
use self::fax::{Fax, Rows};
use self::jpeg::{JpegPieces, Style};
use self::lzma::Lzma;
use self::lzw::Lzw;
use self::packbits::PackBits;
use self::plain::Plain;
use self::sgilog::SgiLog;
use self::thunder::Thunder;
use self::webp::WebP;
use self::zstd::Zstd;
use super::grid::Span;
use super::input::Input;
use super::page::{Compression, Page};
use crate::error::unsupported;

/// A strip or tile that is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// Pixels across.
    pub(super) width: u32,
    /// Rows of pixels.
    pub(super) rows: u32,
    /// Bytes in all its lines.
    pub(super) bytes: u64,
}

/// Undoes one compression.
pub(super) trait Decompress {
    /// Goes to the start of a piece; what is left of the one before is forgotten.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported` or `Limit` when its head says so, `Io`.
    fn begin(&mut self, piece: &Piece) -> Result<()>;

    /// Fills `line` with the piece's next line.
    ///
    /// # Errors
    /// `Malformed` when the data break or end before; then the rest of the piece is lost. `Io`.
    fn fill(&mut self, line: &mut [u8]) -> Result<()>;
}

/// The way back from the page's compression.
///
/// # Errors
/// `Unsupported`, `Limit`.
pub(super) fn decompressor<'a>(
    source: &'a dyn ByteSource,
    page: &Page,
    budget: &Budget,
) -> Result<Box<dyn Decompress + 'a>> {
    let input = Input::new(source, page.is_bit_reversed, budget)?;
    let width = page.grid.width;
    Ok(match page.compression {
        Compression::None => Box::new(Plain::new(input)),
        Compression::PackBits => Box::new(PackBits::new(input)),
        Compression::Lzw => Box::new(Lzw::new(input, budget)?),
        Compression::Deflate => Box::new(Deflate::new(input, budget)?),
        Compression::FaxRuns { words } => Box::new(Fax::new(input, Rows::Runs { words }, width, budget)?),
        Compression::Fax3 { two_dimensional } => {
            Box::new(Fax::new(input, Rows::Group3 { two_dimensional }, width, budget)?)
        }
        Compression::Fax4 => Box::new(Fax::new(input, Rows::Group4, width, budget)?),
        Compression::Thunder => Box::new(Thunder::new(input)),
        Compression::SgiLog => Box::new(SgiLog::new(input, page.samples.bits() / 8)),
        Compression::Lzma => Box::new(Lzma::new(input, budget)),
        Compression::Zstd => Box::new(Zstd::new(input, budget)),
        Compression::WebP => Box::new(WebP::new(input, page.samples_per_pixel, budget)?),
        Compression::SgiLog24 => return Err(unsupported("this compression")),
        Compression::Jpeg | Compression::OldJpeg => {
            let components = if page.is_planar { 1 } else { page.samples_per_pixel };
            let style = match (page.compression, page.jpeg.stream) {
                (Compression::Jpeg, _) => Style::New,
                (_, Some(_)) => Style::OldWhole,
                (_, None) => Style::OldPieces { factors: page.jpeg.factors },
            };
            Box::new(JpegPieces::new(source, input, page.jpeg.clone(), (style, components), budget))
        }
    })
}

/// Whether an error is of the file's data, so that what lies behind it can still be read.
pub(super) const fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Malformed { format: Format::Tiff | Format::Jpeg | Format::WebP, .. })
}
