//! Writing: N. Robidoux's quantisation table, Huffman tables made for the picture. Baseline files equal those of cjpeg
//! `-optimize` with that table byte by byte, unless they are longer than the part that is analysed before the first
//! byte is written. Progressive files equal those of cjpeg `-progressive`. They need the coefficients of the whole
//! picture, which are kept in few bytes.

mod bits;
mod dct;
mod encoder;
mod huffman;
mod metadata;
mod options;
mod planes;
mod progressive;
mod scan;
mod script;
mod sequential;
mod store;
mod stored;
mod trellis;
mod turn;

use std::rc::Rc;

use raster::limits::check_size;
use raster::{Budget, ByteSink, Error, FrameHeader, ImageSpec, ImageWriter, Metadata, PixelFormat, Quality, Result};

use self::encoder::{Encoder, Settings};
pub use self::options::{Coding, Options, Subsampling};
use crate::error::unsupported;
use crate::gain_map;

pub(crate) use metadata::write as write_metadata;
pub use turn::turn;

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
    let Options { subsampling, coding, restart_rows, .. } = *options;
    let quality = Quality::for_source(options.quality, spec.source_quality);
    let settings = Settings { quality, coding, restart_rows };
    let is_undecided = spec.pixels.channels.has_color()
        && subsampling == Subsampling::Auto
        && quality < Quality::from(FULL_COLOR_QUALITY);
    // Without a fixed subsampling, the first rows decide it.
    let state = if is_undecided {
        let most = (header.row_bytes() * u64::from(spec.size.height)).min(MOST_HELD.max(header.row_bytes()));
        State::Looking { rows: budget.reserved(most)?, most: most as usize }
    } else {
        let halved = subsampling == Subsampling::Reduced;
        State::Encoding(Box::new(Encoder::new(&header, settings, halved, &budget)?))
    };
    Ok(Box::new(Writer { sink, settings, header, budget, state, gain_map: None }))
}

struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    settings: Settings,
    header: FrameHeader,
    budget: Budget,
    state: State,
    /// The gain map, which follows the picture.
    gain_map: Option<gain_map::Pending>,
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
        if let Some(map) = &metadata.gain_map {
            self.gain_map = Some(gain_map::Pending::begin(self.sink, Rc::clone(map))?);
        }
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
            State::Encoding(encoder) => encoder.finish(self.sink)?,
            State::Looking { .. } => return Err(Error::Contradiction("nothing was decided")),
        }
        self.gain_map.map_or(Ok(()), |map| map.finish(self.sink))
    }
}

impl Writer<'_> {
    /// Starts to encode with the subsampling that the held rows require, if any are held.
    fn decide(&mut self) -> Result<()> {
        let State::Looking { rows, .. } = &mut self.state else { return Ok(()) };
        let held = core::mem::take(rows);
        let halved = !is_graphic(&held, self.header.size.width);
        let mut encoder = Encoder::new(&self.header, self.settings, halved, &self.budget)?;
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
