//! Reading: the header first, then whole frames, whose rows are given out.

use std::rc::Rc;

use jxl::api::{
    Endianness, Event, ExtraChannel, JxlAnimation, JxlBasicInfo, JxlColorType, JxlDataFormat, JxlDecoder,
    JxlPixelFormat, VisibleFrameInfo,
};
use raster::{
    Budget, ByteSource, Channels, Delay, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes,
    PixelFormat, Result, RowReader, Sequence, Size, Stored, Wanted, limits,
};

use crate::stream::{Cause, PIECE, Stream, Target};
use crate::{boxes, colors};

/// Frames of the longest animation.
const MOST_FRAMES: usize = 100_000;

/// A picture's frames can be larger than it, because others are built from them; this many samples are always allowed.
const SAMPLES: usize = 1 << 22;

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    delays: Vec<Delay>,
    stream: Stream<'a>,
    budget: Budget,
    /// The format of rows in the decoder's words.
    format: JxlPixelFormat,
    /// The pixels of the current frame, behind a byte at most that makes them even.
    pixels: Vec<u8>,
    /// Frames that were decoded.
    frame: u32,
    /// Rows of the current frame that were given out.
    row: u32,
    is_damaged: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let scope = budget.scope();
        let mut header = Stream::new(source, None, true, &scope)?;
        let basic = basic_info(&mut header)?;
        let decoder = &header.decoder;
        let size = size_of(&basic)?;
        let format = row_format(&basic, decoder)?;
        let pixels = pixel_format(&format);
        let mut metadata = boxes::metadata(source, budget, notes)?;
        if let Some(profile) = decoder.output_color_profile() {
            colors::describe(profile, !pixels.channels.has_color(), &mut metadata, notes);
        }
        budget.charge(metadata.icc.as_ref().map_or(0, |icc| icc.len() as u64))?;
        let depth = basic.bit_depth.bits_per_sample().min(64) as u8;
        let samples = size.area().saturating_mul(2 * (3 + basic.extra_channels.len() as u64));
        let samples = usize::try_from(samples).unwrap_or(usize::MAX).max(SAMPLES);
        drop(header);
        // The decoder allocates frames whose headers it reads, so it gets the limit first.
        let mut frames = Stream::new(source, Some(samples), true, &scope)?;
        scan(&mut frames, if basic.animation.is_some() { MOST_FRAMES } else { 1 })?;
        let coding = coding(&frames, source)?;
        let mut info = ImageInfo {
            stored: Stored { depth, channels: pixels.channels.count() as u8 },
            metadata: Rc::new(metadata),
            working_set: working_set(size, pixels, &basic, coding),
            ..ImageInfo::still(Format::Jxl, size, pixels.into())
        };
        let mut delays = Vec::new();
        if let Some(animation) = &basic.animation {
            delays = times(&frames, animation, budget)?;
            info.frames = delays.len().max(1) as u32;
            if info.frames > 1 {
                info.sequence = Sequence::Animation { plays: animation.num_loops };
            }
        }
        drop((frames, scope));
        let stream = Stream::new(source, Some(samples), false, budget)?;
        let budget = budget.clone();
        Ok(Self { info, delays, stream, budget, format, pixels: Vec::new(), frame: 0, row: 0, is_damaged: false })
    }

    /// Decodes the next frame into `pixels`. After `NotYet` the same call can be repeated.
    fn decode(&mut self) -> Result<()> {
        loop {
            let target = if self.pixels.is_empty() {
                None
            } else {
                let start = even(&self.pixels);
                let len = self.pixels.len() - 1;
                let rows = self.info.size.height as usize;
                Some(Target { bytes: &mut self.pixels[start..start + len], rows })
            };
            match self.stream.next(target)? {
                Some(Event::BasicInfo) => self.begin()?,
                Some(Event::FrameComplete { .. }) => return Ok(()),
                Some(Event::FrameHeader | Event::NeedMoreInput { .. }) => {}
                Some(Event::Complete) | None => return Err(Cause::Ends.at(self.stream.position())),
            }
        }
    }

    /// Sets the format of rows and allocates them.
    fn begin(&mut self) -> Result<()> {
        let set = self.stream.decoder.set_pixel_format(self.format.clone());
        set.map_err(|error| Cause::Decoder(error).at(self.stream.position()))?;
        let ImageInfo { size, row_format, working_set, .. } = self.info;
        let len = row_format.row_bytes(size.width).saturating_mul(u64::from(size.height));
        self.budget.charge(working_set.saturating_sub(len))?;
        self.pixels = self.budget.filled(len.saturating_add(1), 0)?;
        Ok(())
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.frame == self.info.frames {
            return Ok(None);
        }
        match if self.is_damaged { Err(Cause::EarlierFrame.at(self.stream.position())) } else { self.decode() } {
            Err(error) if error.is_not_yet() => return Err(error),
            Err(error) => {
                self.is_damaged = true;
                self.frame += 1;
                return Err(error);
            }
            Ok(()) => {}
        }
        self.frame += 1;
        self.row = 0;
        let ImageInfo { size, row_format, .. } = self.info;
        let delay = self.delays.get(self.frame as usize - 1).filter(|_| self.info.frames > 1).copied();
        let info = FrameInfo { delay, ..FrameInfo::new(size, row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let start = even(&self.pixels) + self.row as usize * row.len();
        row.copy_from_slice(&self.pixels[start..start + row.len()]);
        self.row += 1;
        Ok(())
    }
}

/// Reads a file up to its first frame.
fn basic_info(stream: &mut Stream<'_>) -> Result<JxlBasicInfo> {
    let event = stream.next(None)?;
    match (event, stream.decoder.basic_info()) {
        (Some(Event::BasicInfo), Some(basic)) => Ok(basic.clone()),
        _ => Err(Cause::Ends.at(stream.position())),
    }
}

/// Returns the upright size.
fn size_of(basic: &JxlBasicInfo) -> Result<Size> {
    let [width, height] = [basic.size.0, basic.size.1].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let size = Size::new(width, height);
    limits::check_size(size, limits::MAX_SIDE)?;
    Ok(size)
}

/// Returns the format in which rows are wanted from the decoder.
fn row_format(basic: &JxlBasicInfo, decoder: &JxlDecoder) -> Result<JxlPixelFormat> {
    let has = |kind| basic.extra_channels.iter().any(|channel| channel.ec_type == kind);
    if has(ExtraChannel::Black) || decoder.embedded_color_profile().is_some_and(jxl::api::JxlColorProfile::is_cmyk) {
        return Err(Error::Unsupported { format: Format::Jxl, feature: "a picture of inks (CMYK)" });
    }
    let is_gray = decoder.current_pixel_format().is_some_and(|format| format.color_type.is_grayscale());
    let color_type = match (is_gray, has(ExtraChannel::Alpha)) {
        (true, false) => JxlColorType::Grayscale,
        (true, true) => JxlColorType::GrayscaleAlpha,
        (false, false) => JxlColorType::Rgb,
        (false, true) => JxlColorType::Rgba,
    };
    let samples = if basic.bit_depth.bits_per_sample() > 8 {
        JxlDataFormat::U16 { endianness: Endianness::LittleEndian, bit_depth: 16 }
    } else {
        JxlDataFormat::U8 { bit_depth: 8 }
    };
    Ok(JxlPixelFormat {
        color_type,
        color_data_format: Some(samples),
        extra_channel_format: vec![None; basic.extra_channels.len()],
    })
}

/// Returns the same format in our words.
fn pixel_format(format: &JxlPixelFormat) -> PixelFormat {
    let channels = Channels::new(!format.color_type.is_grayscale(), format.color_type.has_alpha());
    let is_deep = format.color_data_format.is_some_and(|format| format.bytes_per_sample() > 1);
    PixelFormat::new(channels, if is_deep { Depth::Sixteen } else { Depth::Eight })
}

/// What the header of the first visible frame says about memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coding {
    /// Whether the frame is coded as samples (modular) and not as blocks of coefficients (VarDCT).
    is_modular: bool,
    /// Whether earlier frames are kept for it, which nobody sees: its layers, patches or a coarse picture.
    needs_others: bool,
}

/// Reads how the first visible frame is coded. A file whose header cannot be read counts as the coding that needs
/// more memory.
fn coding(stream: &Stream<'_>, source: &dyn ByteSource) -> Result<Coding> {
    let Some(frame) = stream.decoder.scanned_frames().first() else {
        return Ok(Coding { is_modular: true, needs_others: true });
    };
    // From the lowest bit: all_default, two bits of frame_type, encoding (ISO/IEC 18181-1 §C.2).
    let mut bits = [0];
    let filled = source.read_full_at(frame.file_offset, &mut bits)?;
    let is_modular = filled == 0 || (bits[0] & 1 == 0 && bits[0] & 8 != 0);
    Ok(Coding { is_modular, needs_others: !frame.is_keyframe })
}

/// Returns the bytes that decoding holds at once: the rows, and what the decoder needs.
fn working_set(size: Size, pixels: PixelFormat, basic: &JxlBasicInfo, coding: Coding) -> u64 {
    let samples = 3 + basic.extra_channels.len() as u64;
    let rows = pixels.row_bytes(size.width).saturating_mul(u64::from(size.height));
    let is_deep = pixels.depth == Depth::Sixteen;
    // Measured with files of `cjxl`, in bytes per sample: 12.2 for animations; for modular pictures in steps of
    // resolution 3.6 with 8 bits and 7.4 with 16; 0.3 for VarDCT, 5.2 with alpha.
    let least = if coding.needs_others { 4 } else { 0 };
    let per_sample = match (coding.is_modular, is_deep) {
        _ if basic.animation.is_some() => 13,
        (true, true) => 8,
        (true, false) => 4,
        (false, _) if !basic.extra_channels.is_empty() => 6,
        (false, _) => 1,
    };
    let decoder = size.area().saturating_mul(samples * per_sample.max(least));
    rows.saturating_add(decoder).saturating_add(PIECE + (24 << 20))
}

/// Reads the headers of frames until `most` visible ones are known. A file that ends early has fewer.
fn scan(stream: &mut Stream<'_>, most: usize) -> Result<()> {
    while stream.decoder.scanned_frames().len() < most {
        match stream.next(None) {
            Ok(Some(Event::Complete) | None) | Err(Error::Malformed { .. } | Error::Unsupported { .. }) => break,
            Ok(Some(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the times for which the frames of an animation are shown.
fn times(stream: &Stream<'_>, animation: &JxlAnimation, budget: &Budget) -> Result<Vec<Delay>> {
    let frames = stream.decoder.scanned_frames();
    budget.charge(size_of_val(frames) as u64)?;
    Ok(frames.iter().map(|frame| delay(frame, animation)).collect())
}

/// Returns the time for which a frame is shown: ticks, of which `tps_numerator / tps_denominator` are a second.
fn delay(frame: &VisibleFrameInfo, animation: &JxlAnimation) -> Delay {
    let numerator = u64::from(frame.duration_ticks) * u64::from(animation.tps_denominator);
    let numerator = u32::try_from(numerator).unwrap_or(u32::MAX);
    Delay { numerator, denominator: animation.tps_numerator.max(1) }
}

/// Returns 1 if the bytes begin at an odd address, as samples of two bytes must not, else 0.
fn even(bytes: &[u8]) -> usize {
    bytes.as_ptr().align_offset(2).min(1)
}
