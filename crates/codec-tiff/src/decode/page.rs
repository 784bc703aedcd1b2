//! The properties of a page as its directory states them: size, samples, meaning, compression. Only tags are read
//! before the first row, and only the tables of strips or tiles are allocated, which cannot exceed the file.

use ifd::{Directory, File, Order, tag};
use raster::{Budget, Channels, Depth, Limit, Orientation, PixelFormat, Result, RowFormat, Size};

use super::grid::Grid;
use super::jpeg::Streams;
use super::meaning::{Alpha, Compression, Meaning, Predictor, Samples};
use super::pages::PageRef;
use super::tags::Tags;
use crate::error::{Cause, unsupported};

/// The properties that decide the row format.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) directory: Directory,
    pub(super) size: Size,
    pub(super) orientation: Orientation,
    pub(super) samples: Samples,
    pub(super) samples_per_pixel: u16,
    pub(super) is_planar: bool,
    pub(super) is_big_endian: bool,
    /// The number of bits in a sample according to the tags. `samples` are those of the decompressed lines.
    pub(super) stored_bits: u16,
    pub(super) is_bit_reversed: bool,
    pub(super) meaning: Meaning,
    pub(super) alpha: Option<Alpha>,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
    pub(super) grid: Grid,
    /// The streams of both JPEG compressions; unused otherwise.
    pub(super) jpeg: Streams,
}

impl Page {
    /// Reads the tags of a page.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported`, `Limit` when the file cannot hold the picture or the budget not its tables, `Io`.
    pub(super) fn read(file: &mut File<'_>, page: PageRef, file_len: u64, budget: &Budget) -> Result<Self> {
        let directory = file.directory(page.at, budget)?;
        let order = file.order();
        let mut tags = Tags { file, directory: &directory, budget };
        let mut stored = tags.stored()?;
        let planes = if stored.is_planar { stored.samples_per_pixel } else { 1 };
        let grid = Grid::read(tags.file, &directory, page.size, planes, budget)?;
        let jpeg = tags.streams(&stored, &grid)?;
        let is_bit_reversed = tags.number(tag::FILL_ORDER, 1)? == 2;
        if stored.compression == Compression::SgiLog24 {
            // Plain codes of three bytes.
            stored.compression = Compression::None;
        }
        let stored_bits = stored.samples.bits();
        let is_jpeg = stored.compression == Compression::Jpeg;
        if is_jpeg && matches!(stored.samples, Samples::Whole(9..=15)) && !matches!(stored.meaning, Meaning::Palette(_))
        {
            // The decoder scales samples to 16 bits.
            stored.samples = Samples::Whole(16);
        }
        let page = Self {
            size: page.size,
            orientation: page.orientation,
            samples: stored.samples,
            samples_per_pixel: stored.samples_per_pixel,
            is_planar: stored.is_planar,
            is_big_endian: order == Order::Big && !is_jpeg,
            stored_bits,
            is_bit_reversed,
            meaning: stored.meaning,
            alpha: stored.alpha,
            compression: stored.compression,
            predictor: stored.predictor,
            grid,
            jpeg,
            directory,
        };
        page.check()?;
        page.check_plausible(file_len)?;
        Ok(page)
    }

    /// Refuses combinations that no writer produces.
    fn check(&self) -> Result<()> {
        let at = self.directory.at;
        let bits = self.samples.bits();
        if matches!(self.compression, Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4)
            && (bits, self.samples_per_pixel) != (1, 1)
        {
            return Err(Cause::Clash("fax compression and samples").at(at));
        }
        if self.compression == Compression::Thunder && (bits, self.samples_per_pixel) != (4, 1) {
            return Err(Cause::Clash("ThunderScan compression and samples").at(at));
        }
        let is_readable = match self.compression {
            Compression::Jpeg => matches!(self.samples, Samples::Whole(8 | 16)),
            Compression::OldJpeg | Compression::WebP => self.samples == Samples::Whole(8),
            _ => true,
        };
        if !is_readable {
            return Err(unsupported("samples of this size under this compression"));
        }
        let is_odd = matches!(self.samples, Samples::Whole(bits) if bits % 8 != 0) || matches!(bits, 24 | 40 | 48 | 56);
        match self.predictor {
            Predictor::Horizontal if is_odd => Err(unsupported("a predictor at this depth")),
            Predictor::Float if matches!(self.samples, Samples::Whole(_)) => {
                Err(Cause::Clash("Predictor and SampleFormat").at(at))
            }
            _ if self.grid.is_tiled && !(u64::from(self.grid.width) * self.pixel_bits()).is_multiple_of(8) => {
                Err(unsupported("tiles that end inside a byte"))
            }
            _ if self.is_planar && matches!(self.jpeg, Streams::Abbreviated { is_ycbcr: true, .. }) => {
                Err(unsupported("YCbCr in planes under JPEG compression"))
            }
            _ if self.is_planar && self.rows_per_line() * self.pixels_per_unit() > 1 => {
                Err(unsupported("subsampled colour in planes"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a header that claims more than 16 times the picture that the file's bytes can hold. The factor admits
    /// truncated files and blank parts. Sizes up to a harmless limit are always accepted.
    fn check_plausible(&self, bytes: u64) -> Result<()> {
        const ALWAYS: u64 = 1 << 24;
        const SLACK: u64 = 16;
        // The largest number of picture bits in a bit of data.
        let ratio = match self.compression {
            Compression::None | Compression::SgiLog24 => 1,
            Compression::Thunder | Compression::PackBits | Compression::SgiLog => 64,
            // 4 096 bytes in 12 bits; 258 in 2.
            Compression::Lzw => 2731,
            Compression::Deflate => 1032,
            // A block of 64 samples takes at least two bits.
            Compression::Jpeg | Compression::OldJpeg => 256,
            // A row takes at least one bit.
            Compression::Fax4 | Compression::Fax3 { .. } | Compression::FaxRuns { .. } => self.size.width.into(),
            Compression::Lzma | Compression::Zstd | Compression::WebP => 1 << 16,
        };
        let claimed =
            self.size.area().saturating_mul(u64::from(self.samples_per_pixel) * u64::from(self.samples.bits()));
        let most = bytes.saturating_mul(8 * SLACK).saturating_mul(ratio);
        if self.size.area().saturating_mul(self.samples_per_pixel.into()) > ALWAYS && claimed > most {
            return Err(Limit::Implausible { claimed: self.size, bytes }.into());
        }
        Ok(())
    }

    /// Returns the format of the rows.
    pub(super) fn row_format(&self) -> RowFormat {
        let has_color = match self.meaning {
            Meaning::Cmyk => return RowFormat::Inks { depth: self.depth(), alpha: self.alpha.is_some() },
            Meaning::Gray { .. } | Meaning::LogL => false,
            _ => true,
        };
        PixelFormat::new(Channels::new(has_color, self.alpha.is_some()), self.depth()).into()
    }

    fn depth(&self) -> Depth {
        match (&self.meaning, self.samples) {
            (Meaning::Palette(palette), _) => palette.depth(),
            (Meaning::YCbCr(_) | Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32, _) => Depth::Eight,
            (_, Samples::Whole(..=8)) => Depth::Eight,
            _ => Depth::Sixteen,
        }
    }

    /// Returns the bits of one pixel in one plane.
    fn pixel_bits(&self) -> u64 {
        let samples = if self.is_planar { 1 } else { self.samples_per_pixel };
        u64::from(samples) * u64::from(self.samples.bits())
    }

    /// Returns the rows of pixels in a line of data: more than one only when chroma is subsampled vertically.
    pub(super) const fn rows_per_line(&self) -> u32 {
        match &self.meaning {
            Meaning::YCbCr(code) => code.down,
            _ => 1,
        }
    }

    const fn pixels_per_unit(&self) -> u32 {
        match &self.meaning {
            Meaning::YCbCr(code) => code.across,
            _ => 1,
        }
    }

    /// Returns the bytes in a line of data of a strip or tile that is `width` pixels wide.
    pub(super) fn line_bytes(&self, width: u32) -> u64 {
        match &self.meaning {
            // §21: units of across × down luma samples, one Cb, one Cr.
            Meaning::YCbCr(code) if code.across * code.down > 1 => {
                u64::from(width.div_ceil(code.across)) * u64::from(code.across * code.down + 2)
            }
            _ => (u64::from(width) * self.pixel_bits()).div_ceil(8),
        }
    }
}
