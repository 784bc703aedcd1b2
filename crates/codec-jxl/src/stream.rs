//! A decoder with the file that feeds it, piece by piece.

use core::fmt;

use jxl::api::{Event, JxlDecoder, JxlDecoderOptions, JxlOutputBuffer, ProfileLevel};
use raster::{Budget, ByteSource, Error, Format, Result};

/// Bytes that are read at once.
pub(crate) const PIECE: u64 = 1 << 16;

/// The bytes of the tables with which a header is read, at most.
const TABLES: u64 = 1 << 20;

/// The defect of a file.
pub(crate) enum Cause {
    /// The file ends early.
    Ends,
    /// A frame cannot be decoded, because an earlier one is damaged.
    EarlierFrame,
    /// The decoder's own words.
    Decoder(jxl::error::Error),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends => f.write_str("the file ends before its last pixel"),
            Self::EarlierFrame => f.write_str("an earlier frame is damaged"),
            Self::Decoder(error) => error.fmt(f),
        }
    }
}

/// The sentence. A derived implementation would link those of all errors of the decoder.
impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Cause {}

impl Cause {
    /// Returns the error for this cause near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Jxl, offset, self)
    }
}

/// The rows into which a frame is decoded.
pub(crate) struct Target<'a> {
    /// All rows, without gaps.
    pub(crate) bytes: &'a mut [u8],
    /// The number of rows.
    pub(crate) rows: usize,
}

/// A decoder and its place in the file.
pub(crate) struct Stream<'a> {
    source: &'a dyn ByteSource,
    pub(crate) decoder: JxlDecoder,
    piece: Vec<u8>,
    /// The bytes of `piece` that the decoder has not taken.
    rest: core::ops::Range<usize>,
    /// The offset behind `piece` in the file.
    offset: u64,
}

impl<'a> Stream<'a> {
    /// Creates a decoder at the start of a file. `samples`: the most that a frame may have; `headers_only`: whether it
    /// reads the headers of frames and skips their pixels.
    pub(crate) fn new(
        source: &'a dyn ByteSource,
        samples: Option<usize>,
        headers_only: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let mut options = JxlDecoderOptions::default();
        options.sample_limit = samples;
        options.scan_frames_only = headers_only;
        options.max_profile_level = ProfileLevel::Main10;
        options.alpha_mode = jxl::api::AlphaMode::Unpremultiplied;
        budget.charge(TABLES)?;
        let piece = budget.filled(PIECE, 0)?;
        Ok(Self { source, decoder: JxlDecoder::new(options), piece, rest: 0..0, offset: 0 })
    }

    /// Goes on to the next event; `None` at the end of a file that is not whole. After `NotYet`, the same call can be
    /// repeated.
    pub(crate) fn next(&mut self, mut target: Option<Target<'_>>) -> Result<Option<Event>> {
        loop {
            if self.rest.is_empty() {
                let filled = self.source.read_full_at(self.offset, &mut self.piece)?;
                self.offset += filled as u64;
                self.rest = 0..filled;
            }
            let mut input = &self.piece[self.rest.clone()];
            let had = input.len();
            let event = match &mut target {
                None => self.decoder.process(&mut input, None, None),
                Some(Target { bytes, rows }) => {
                    let row_bytes = bytes.len() / *rows;
                    let mut buffers = [JxlOutputBuffer::new(bytes, *rows, row_bytes)];
                    self.decoder.process(&mut input, Some(&mut buffers), None)
                }
            };
            self.rest.start = self.rest.end - input.len();
            match event {
                Ok(Event::NeedMoreInput { .. }) if had == 0 => return Ok(None),
                Ok(Event::NeedMoreInput { .. }) if input.len() == had => {
                    return Err(Cause::Ends.at(self.position()));
                }
                Ok(Event::NeedMoreInput { .. }) => {}
                Ok(event) => return Ok(Some(event)),
                Err(error) => return Err(self.refusal(error)),
            }
        }
    }

    /// The offset in the file up to which the decoder has taken bytes.
    pub(crate) fn position(&self) -> u64 {
        self.offset - self.rest.len() as u64
    }

    fn refusal(&self, error: jxl::error::Error) -> Error {
        use jxl::error::Error as E;
        match error {
            E::ImageSizeTooLarge(..) => {
                Error::Unsupported { format: Format::Jxl, feature: "a frame larger than the picture" }
            }
            error => Cause::Decoder(error).at(self.position()),
        }
    }
}
