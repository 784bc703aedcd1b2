//! Writing, through `mozjpeg-rs`: the only file that names it. The picture is collected and encoded when it is
//! complete.
//!
//! Figures below: 1920 × 1280 pixels of photographs at quality 85, wasm in Node, processor time in shares of native
//! djpeg's for 24 MP (100 ms).

use mozjpeg_rs::{Encoder, Preset, QuantTableIdx};
use raster::error::Limit;
use raster::limits::check_size;
use raster::rows::Create;
use raster::{ByteSink, Channels, Error, FrameHeader, ImageWriter, Metadata, PixelFormat, Result, Size};

use crate::error::unsupported;
use crate::segments;

/// How a JPEG is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// 1 to 100 on libjpeg's scale; values beyond count as the nearest.
    pub quality: u8,
    /// How finely colour is kept.
    pub subsampling: Subsampling,
    /// Several scans, from coarse to fine.
    pub progressive: bool,
}

impl Default for Options {
    /// Quality 85, colour as the picture needs it, one scan: a progressive file is 6 % smaller and takes 2.4 times as
    /// long (1.4).
    fn default() -> Self {
        Self { quality: 85, subsampling: Subsampling::Auto, progressive: false }
    }
}

/// How many luminance samples share one of colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subsampling {
    /// 4:4:4 from quality 90 and for graphics, else 4:2:0.
    Auto,
    /// Colour at full resolution.
    S444,
    /// Colour at half the resolution across and down.
    S420,
}

/// Quality from which colour keeps its full resolution: there, halving it costs more than it saves.
const FULL_COLOR_QUALITY: u8 = 90;

/// Starts a JPEG of one frame, grey or RGB, eight bits.
///
/// # Errors
/// `Limit` above 65 535 pixels a side and without room for the picture and the encoder's buffers; `Unsupported` for
/// other pixels.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    check_size(create.size, crate::MAX_SIDE)?;
    match create.pixels {
        PixelFormat::GRAY8 | PixelFormat::RGB8 => {}
        pixels if pixels.channels.has_alpha() => return Err(unsupported("writing transparency")),
        _ => return Err(unsupported("writing more than 8 bits per sample")),
    }
    let header = FrameHeader::new(create.size, create.pixels);
    let buffers = buffers(options, create);
    create.budget.charge(buffers)?;
    let samples = create.budget.filled(header.row_bytes() * u64::from(create.size.height), 0_u8)?;
    Ok(Box::new(Writer { sink, options: *options, header, buffers, samples, next: None }))
}

/// What the encoder will allocate, in bytes, as far as it can tell: its planes, blocks and output; 4:4:4 needs the
/// most. It counts in `usize`, which overflows in wasm from 260 megapixels on, so it is asked about one row of blocks.
fn buffers(options: &Options, create: &Create<'_>) -> u64 {
    let encoder = encoder(options, mozjpeg_rs::Subsampling::S444);
    let Size { width, height } = create.size;
    let strip = if create.pixels.channels == Channels::Gray {
        encoder.estimate_resources_gray(width, 8)
    } else {
        encoder.estimate_resources(width, 8)
    };
    strip.peak_memory_bytes as u64 * u64::from(height.div_ceil(8))
}

/// Baseline, Huffman tables made for the picture (0.6; they save 0.7 %), IJG's quantisation tables: the same bytes to
/// 0.01 % and the same pixels as cjpeg `-optimize`. Not used: trellis quantisation, −10 % for five times the time; the
/// Robidoux tables the library prefers, which need 6 % more bytes for the same SSIM of 0.98.
fn encoder(options: &Options, subsampling: mozjpeg_rs::Subsampling) -> Encoder {
    Encoder::new(Preset::BaselineFastest)
        .quality(options.quality.clamp(1, 100))
        .quant_tables(QuantTableIdx::JpegAnnexK)
        .subsampling(subsampling)
        .progressive(options.progressive)
        .optimize_huffman(true)
}

struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    options: Options,
    header: FrameHeader,
    /// What the encoder will allocate, as far as it can tell, in bytes.
    buffers: u64,
    samples: Vec<u8>,
    /// The row to come; nothing before the frame began.
    next: Option<u32>,
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if *header != self.header {
            return Err(Error::Contradiction("the frame is not what the file was created for"));
        }
        if self.next.is_some() {
            return Err(unsupported("writing several frames"));
        }
        segments::write(self.sink, metadata, true)?;
        self.next = Some(0);
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let next =
            self.next.filter(|&next| next < self.header.size.height && row.len() as u64 == self.header.row_bytes());
        let next = next.ok_or(Error::Contradiction("a row that the frame does not have"))?;
        let start = next as usize * row.len();
        self.samples[start..start + row.len()].copy_from_slice(row);
        self.next = Some(next + 1);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        if self.next != Some(self.header.size.height) {
            return Err(Error::Contradiction("rows are missing"));
        }
        let encoder = encoder(&self.options, self.subsampling());
        let (width, height) = (self.header.size.width, self.header.size.height);
        let encoded = match self.header.pixels.channels {
            Channels::Gray => encoder.encode_gray(&self.samples, width, height),
            _ => encoder.encode_rgb(&self.samples, width, height),
        };
        let encoded = encoded.map_err(|error| failure(&error, self.buffers))?;
        self.sink.write(behind_jfif(&encoded)?)
    }
}

/// What follows the start of image and the JFIF segment, which are written with the other segments.
fn behind_jfif(encoded: &[u8]) -> Result<&[u8]> {
    let behind = encoded.strip_prefix(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0").and_then(|rest| rest.get(9..));
    behind.ok_or(Error::Contradiction("the JPEG encoder begins with something else"))
}

impl Writer<'_> {
    fn subsampling(&self) -> mozjpeg_rs::Subsampling {
        let full = match self.options.subsampling {
            Subsampling::S444 => true,
            Subsampling::S420 => false,
            Subsampling::Auto => {
                self.options.quality >= FULL_COLOR_QUALITY || is_graphic(&self.samples, self.header.size.width)
            }
        };
        if full { mozjpeg_rs::Subsampling::S444 } else { mozjpeg_rs::Subsampling::S420 }
    }
}

/// Whether an RGB picture looks drawn, not photographed: most pixels equal their left neighbour exactly.
fn is_graphic(samples: &[u8], width: u32) -> bool {
    let rows = samples.chunks_exact(width as usize * 3);
    let (mut equal, mut pairs) = (0_u64, 0_u64);
    for row in rows {
        let (pixels, _) = row.as_chunks::<3>();
        pairs += pixels.len() as u64 - 1;
        equal += pixels.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
    }
    equal * 2 > pairs
}

fn failure(error: &mozjpeg_rs::Error, buffers: u64) -> Error {
    match error {
        // The budget had room, the allocator had not, and does not say how much it has.
        mozjpeg_rs::Error::AllocationFailed => Limit::Memory { need: buffers, have: 0 }.into(),
        _ => Error::Contradiction("the JPEG encoder refused what was checked before"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Budget, Limits};

    /// The library's own sum over the whole picture, which fits into 64 bits, but for less than a byte that each row of
    /// blocks loses.
    #[test]
    fn rows_of_blocks_need_as_much_as_the_picture() {
        let budget = Budget::new(&Limits::default());
        for (width, height) in [(1, 8), (100, 72), (1920, 1280), (18_000, 17_000), (65_535, 65_528)] {
            let need = |pixels| {
                let create = Create::single(Size::new(width, height), pixels, &budget);
                buffers(&Options::default(), &create)
            };
            let encoder = encoder(&Options::default(), mozjpeg_rs::Subsampling::S444);
            let color = encoder.estimate_resources(width, height).peak_memory_bytes as u64;
            let gray = encoder.estimate_resources_gray(width, height).peak_memory_bytes as u64;
            let lost = u64::from(height / 8);
            assert!((color - lost..=color).contains(&need(PixelFormat::RGB8)), "{width} × {height}");
            assert!((gray - lost..=gray).contains(&need(PixelFormat::GRAY8)), "{width} × {height}, grey");
        }
    }
}
