//! The decompressors, one file each. Each reads the bytes of one strip or tile after another and writes its lines, as
//! they were before compression, into the caller's buffer.

mod decompress;
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

use raster::{Budget, ByteSource, Result};

pub(super) use self::decompress::{Decompress, Segment};
use self::deflate::Deflate;
use self::fax::{Fax, Rows};
use self::jpeg::JpegSegments;
use self::lzma::Lzma;
use self::lzw::Lzw;
use self::packbits::PackBits;
use self::plain::Plain;
use self::sgilog::SgiLog;
use self::thunder::Thunder;
use self::webp::WebP;
use self::zstd::Zstd;
use super::input;
use super::meaning::Compression;
use super::page::Page;
use crate::error::unsupported;

/// Creates the decompressor of a page.
///
/// # Errors
/// `Unsupported`, `Limit`.
pub(super) fn decompressor<'a>(
    source: &'a dyn ByteSource,
    page: &Page,
    budget: &Budget,
) -> Result<Box<dyn Decompress + 'a>> {
    let input = input::input(source, page.is_bit_reversed, budget)?;
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
            let samples = (components.into(), page.samples.bits());
            Box::new(JpegSegments::new(source, page.jpeg.clone(), samples, budget))
        }
    })
}

/// Returns the bytes of memory that [`decompressor`] charges. Zstandard, LZMA, WebP and JPEG charge more for a segment,
/// as its header requires.
pub(super) fn memory(source: &dyn ByteSource, page: &Page) -> u64 {
    let own = match page.compression {
        Compression::Lzw => Lzw::MEMORY,
        Compression::Deflate => Deflate::MEMORY,
        Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4 => Fax::memory(page.grid.width),
        _ => 0,
    };
    own + input::memory(source)
}
