//! Writing of baseline files: IJG's quantisation tables, Huffman tables made for the picture. The files equal those of
//! cjpeg `-optimize` byte by byte, unless they are longer than the part that is analysed before the first byte is
//! written.
//!
//! Not used: trellis quantisation, 10 % fewer bytes at lower quality for 4.8 times the time; progressive scans, 6 %
//! fewer for 2.4 times.

mod dct;
mod huffman;
mod metadata;
mod planes;
mod scan;

use raster::limits::check_size;
use raster::{
    Budget, ByteSink, Channels, Error, FrameHeader, ImageSpec, ImageWriter, Metadata, PixelFormat, Result, Size,
};

use self::dct::Quantizer;
use self::planes::{Component, Planes};
use self::scan::{Scan, Tables};
use crate::error::unsupported;
use crate::marker::{code, write_segment};
use crate::quality;

pub(crate) use metadata::write as write_metadata;

/// The options of a JPEG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// 1 to 100 on libjpeg's scale; values outside are clamped. `None` means the quality of the source, clamped to 75
    /// to 92, or 85 when it is unknown.
    pub quality: Option<u8>,
    /// The resolution of colour.
    pub subsampling: Subsampling,
}

impl Options {
    /// Returns the quality for a source whose own quality is estimated as `source`.
    fn quality_for(self, source: Option<u8>) -> u8 {
        const UNKNOWN: u8 = 85;
        match (self.quality, source) {
            (Some(wish), _) => wish.clamp(1, 100),
            (None, Some(source)) => source.clamp(75, 92),
            (None, None) => UNKNOWN,
        }
    }
}

/// The number of luminance samples that share one sample of colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subsampling {
    #[default]
    /// 4:4:4 from quality 90 and for graphics, else 4:2:0.
    Auto,
    /// Colour at full resolution.
    S444,
    /// Colour at half the resolution across and down.
    S420,
}

/// The bytes of rows that are analysed before the subsampling is decided: all of a picture of 5 megapixels.
const MOST_HELD: u64 = 16 << 20;

/// The quality from which colour keeps its full resolution: from there on, halving it costs more quality than it saves
/// bytes.
const FULL_COLOR_QUALITY: u8 = 90;

/// Creates a JPEG of one frame, grey or RGB, eight bits.
///
/// # Errors
/// `Limit` above 65 535 pixels a side and when the budget is too small for the picture and the encoder's buffers;
/// `Unsupported` for other pixel formats.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    check_size(spec.size, crate::FORMAT.max_side)?;
    match spec.pixels {
        PixelFormat::GRAY8 | PixelFormat::RGB8 => {}
        pixels if pixels.channels.has_alpha() => return Err(unsupported("writing transparency")),
        _ => return Err(unsupported("writing more than 8 bits per sample")),
    }
    let header = FrameHeader::new(spec.size, spec.pixels);
    let budget = spec.budget.clone();
    let (quality, subsampling) = (options.quality_for(spec.source_quality), options.subsampling);
    let is_undecided =
        spec.pixels.channels.has_color() && subsampling == Subsampling::Auto && quality < FULL_COLOR_QUALITY;
    // Without a fixed subsampling, the first rows decide it.
    let state = if is_undecided {
        let most = (header.row_bytes() * u64::from(spec.size.height)).min(MOST_HELD.max(header.row_bytes()));
        State::Looking { rows: budget.reserved(most)?, most: most as usize }
    } else {
        let halved = subsampling == Subsampling::S420;
        State::Encoding(Box::new(Encoder::new(&header, quality, halved, &budget)?))
    };
    Ok(Box::new(Writer { sink, quality, header, budget, state }))
}

struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    quality: u8,
    header: FrameHeader,
    budget: Budget,
    state: State,
}

enum State {
    /// Rows are held, up to `most` bytes, until the subsampling is decided. The limit does not depend on the vector's
    /// capacity, which an allocator may round up, because results would differ.
    Looking {
        rows: Vec<u8>,
        most: usize,
    },
    Encoding(Box<Encoder>),
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, _: &FrameHeader, metadata: &Metadata) -> Result<()> {
        write_metadata(self.sink, metadata, true)?;
        match &self.state {
            State::Encoding(encoder) => encoder.begin(self.sink),
            State::Looking { .. } => Ok(()),
        }
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        if let State::Looking { rows, most } = &mut self.state {
            if rows.len() + row.len() <= *most {
                rows.extend_from_slice(row);
                return Ok(());
            }
            self.decide()?;
        }
        match &mut self.state {
            State::Encoding(encoder) => encoder.row(row, self.sink),
            State::Looking { .. } => Err(Error::Contradiction("nothing was decided")),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.decide()?;
        match self.state {
            State::Encoding(encoder) => encoder.finish(self.sink),
            State::Looking { .. } => Err(Error::Contradiction("nothing was decided")),
        }
    }
}

impl Writer<'_> {
    /// Starts to encode with the subsampling that the held rows require, if any are held.
    fn decide(&mut self) -> Result<()> {
        let State::Looking { rows, .. } = &mut self.state else { return Ok(()) };
        let held = core::mem::take(rows);
        let halved = !is_graphic(&held, self.header.size.width);
        let mut encoder = Encoder::new(&self.header, self.quality, halved, &self.budget)?;
        encoder.begin(self.sink)?;
        for row in held.chunks_exact(self.header.row_bytes() as usize) {
            encoder.row(row, self.sink)?;
        }
        self.state = State::Encoding(Box::new(encoder));
        Ok(())
    }
}

/// Whether RGB rows are graphics instead of a photograph: most pixels equal their left neighbour exactly.
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

/// An encoder of rows to the bytes of frame and scan, one row of MCUs at a time.
struct Encoder {
    size: Size,
    steps: [[u16; 64]; 2],
    quantizers: [Quantizer; 2],
    planes: Planes,
    scan: Scan,
    /// The DC coefficient of each component's last block.
    last: [i32; 3],
    /// The number of finished rows of MCUs.
    done: usize,
}

impl Encoder {
    fn new(header: &FrameHeader, quality: u8, halved: bool, budget: &Budget) -> Result<Self> {
        let steps = quality::tables(quality);
        let is_gray = header.pixels.channels == Channels::Gray;
        let planes = Planes::new(header.size, is_gray, halved && !is_gray, budget)?;
        let mcu_rows = u64::from(header.size.height.div_ceil(planes.height() as u32));
        let blocks = planes.components.iter().map(|c| (c.stride * c.factor / 8) as u64).sum::<u64>() * mcu_rows;
        Ok(Self {
            size: header.size,
            steps,
            quantizers: steps.map(|steps| Quantizer::new(&steps)),
            planes,
            scan: Scan::new(blocks, budget)?,
            last: [0; 3],
            done: 0,
        })
    }

    /// Writes quantisation tables and the frame's header.
    fn begin(&self, sink: &mut dyn ByteSink) -> Result<()> {
        let components = &self.planes.components;
        for (place, steps) in (0..).zip(&self.steps).take(components.len().min(2)) {
            let steps = steps.map(|step| step as u8);
            write_segment(sink, code::DQT, &[&[place], &steps])?;
        }
        let Size { width, height } = self.size;
        let [[top, bottom], [left, right]] = [height, width].map(|side| (side as u16).to_be_bytes());
        let mut frame = vec![8, top, bottom, left, right, components.len() as u8];
        for (i, component) in (1..).zip(components) {
            frame.extend([i, component.factor as u8 * 0x11, u8::from(i > 1)]);
        }
        write_segment(sink, code::SOF0, &[&frame])
    }

    fn row(&mut self, row: &[u8], sink: &mut dyn ByteSink) -> Result<()> {
        if self.planes.take(row) {
            self.mcus(sink)?;
        }
        Ok(())
    }

    /// Encodes the full row of MCUs.
    fn mcus(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        let across = self.planes.components[0].stride / (8 * self.planes.components[0].factor);
        for x in 0..across {
            for i in 0..self.planes.components.len() {
                let factor = self.planes.components[i].factor;
                for place in 0..factor * factor {
                    if self.scan.is_full() {
                        self.write(sink, false)?;
                    }
                    self.block(i, x * factor + place % factor, place / factor);
                }
            }
        }
        self.planes.clear();
        self.done += 1;
        Ok(())
    }

    /// Encodes one block of a component at its position in the row of MCUs. A block outside the picture costs least
    /// when it equals the previous block.
    fn block(&mut self, component: usize, x: usize, y: usize) {
        let Component { factor, blocks, lines, stride } = &self.planes.components[component];
        let kind = usize::from(component > 0);
        if x >= blocks.0 || self.done * factor + y >= blocks.1 {
            return self.scan.add(2 * kind, 0, &[0; 64]);
        }
        let block = self.quantizers[kind].block(&lines[(y * stride + x) * 8..], *stride);
        let dc = i32::from(block[0]);
        self.scan.add(2 * kind, dc - self.last[component], &block);
        self.last[component] = dc;
    }

    /// Writes the encoded data; before the first data it writes Huffman tables and the scan's header.
    fn write(&mut self, sink: &mut dyn ByteSink, is_all: bool) -> Result<()> {
        let count = self.planes.components.len() as u8;
        if let Some(tables) = self.scan.settle(is_all) {
            begin_scan(sink, tables, count)?;
        }
        self.scan.write(sink)
    }

    fn finish(mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if !self.planes.is_empty() {
            self.planes.complete();
            self.mcus(sink)?;
        }
        self.write(sink, true)?;
        self.scan.finish(sink)?;
        sink.write(&[0xFF, code::EOI])
    }
}

/// Writes the tables of `components` components, and the scan's header (B.2.3, B.2.4.2).
fn begin_scan(sink: &mut dyn ByteSink, tables: &Tables, components: u8) -> Result<()> {
    let places = [0x00, 0x10, 0x01, 0x11];
    for (place, table) in places.iter().zip(tables).take(2 * usize::from(components.min(2))) {
        write_segment(sink, code::DHT, &[&[*place], &table.counts, &table.symbols])?;
    }
    let mut scan = vec![components];
    for i in 1..=components {
        scan.extend([i, if i > 1 { 0x11 } else { 0x00 }]);
    }
    // All coefficients, without successive approximation.
    scan.extend([0, 63, 0]);
    write_segment(sink, code::SOS, &[&scan])
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn quality_is_the_option_else_that_of_the_source_else_85() {
        let table = [
            (Some(40), Some(95), 40),
            (Some(0), None, 1),
            (None, Some(98), 92),
            (None, Some(80), 80),
            (None, Some(30), 75),
            (None, None, 85),
        ];
        for (quality, source, want) in table {
            let options = Options { quality, ..Options::default() };
            assert_eq!(options.quality_for(source), want, "{quality:?} {source:?}");
        }
    }
}
