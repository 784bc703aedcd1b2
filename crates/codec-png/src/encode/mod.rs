//! Writing: each row gets the filter that makes it smallest ([`adaptive`]), then goes through deflate into IDAT chunks
//! ([`data`]). Rows are forgotten as soon as the next has come.
//!
//! The bytes are the same on every machine: `zlib-rs` picks its code by what the processor has, but each variant finds
//! the same matches (its hash is one multiplication everywhere, unlike zlib-ng's, and its comparison loops all return
//! the first difference). Compared at all levels, natively with AVX2 and in wasm with SIMD128.

mod adaptive;
mod data;
mod deflate;
mod parts;

use raster::{
    Budget, ByteSink, Channels, Depth, Error, Format, FrameHeader, ImageWriter, Metadata, Result, limits, rows::Create,
};

use crate::chunk::{self, SIGNATURE};
use crate::header::Header;
use adaptive::Adaptive;
use data::ImageData;
pub(crate) use parts::{INCH, write_texts};

/// How a PNG is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Time spent on fewer bytes.
    pub effort: Effort,
}

/// Time against bytes; the pixels are the same. Figures: wasm, ten photographs of the Kodak set (3.9 MP) and ten
/// screenshots (42 MP); level 6 without filters, as libvips writes, makes 7.46 and 2.63 MB of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// One look for a repetition where there may be some.
    Fast,
    /// A thorough search where there may be repetitions, none elsewhere.
    #[default]
    Default,
    /// zlib's search everywhere: 5 % fewer bytes of photographs for six times the time.
    Smallest,
}

/// Starts a PNG.
///
/// # Errors
/// `Limit` for a side of 0 or above [`limits::MAX_SIDE`] pixels and when the budget does not pay for the buffers;
/// `Unsupported` for inks.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    limits::check_size(create.size, limits::MAX_SIDE)?;
    if create.pixels.channels == Channels::Cmyk {
        return Err(Error::Unsupported { format: Format::Png, feature: "inks" });
    }
    let header = Header::new(create.size, create.pixels);
    let adaptive = Adaptive::new(header.filter_unit(), header.line_bytes(create.size.width), create.budget)?;
    let data = ImageData::new(options.effort, create.budget)?;
    let frame = FrameHeader::new(create.size, create.pixels);
    Ok(Box::new(PngWriter { sink, budget: create.budget.clone(), header, frame, adaptive, data, state: State::Before }))
}

#[derive(Clone, Copy)]
enum State {
    Before,
    /// In the frame, so many rows written.
    Rows(u32),
}

struct PngWriter<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    header: Header,
    frame: FrameHeader,
    adaptive: Adaptive,
    data: ImageData,
    state: State,
}

impl ImageWriter for PngWriter<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        match self.state {
            State::Before if *header == self.frame => {}
            State::Before => return Err(Error::Contradiction("the frame is not what the file was created for")),
            State::Rows(_) => {
                return Err(Error::Unsupported { format: Format::Png, feature: "writing several frames" });
            }
        }
        self.state = State::Rows(0);
        self.sink.write(&SIGNATURE)?;
        chunk::write(self.sink, *b"IHDR", &self.header.to_bytes())?;
        parts::write(self.sink, metadata, &self.budget)
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let State::Rows(rows) = self.state else {
            return Err(Error::Contradiction("a row was written before its frame"));
        };
        if rows >= self.frame.size.height || row.len() as u64 != self.frame.row_bytes() {
            return Err(Error::Contradiction("a row too many, or of the wrong length"));
        }
        let line = self.adaptive.filter(row, self.frame.pixels.depth == Depth::Sixteen);
        self.data.write(self.sink, line)?;
        self.state = State::Rows(rows + 1);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        match self.state {
            State::Rows(rows) if rows == self.frame.size.height => {}
            _ => return Err(Error::Contradiction("rows are missing")),
        }
        self.data.finish(self.sink)?;
        chunk::write(self.sink, *b"IEND", &[])
    }
}
