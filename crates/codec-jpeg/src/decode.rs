//! Pixels, through `zune-jpeg`: the only file that names it. Our own decoder will take this file's place.
//!
//! The library never sees a foreign header. It gets one that is written here from what [`markers`](crate::markers)
//! found sound, followed by the file from its first scan on; so stray bytes, odd segments, missing Huffman tables and
//! colour guesses are settled before. What it is known to get wrong or to panic at ([`check_supported`]) is refused: in
//! WebAssembly a panic would take the worker with it.

use core::cell::{Cell, RefCell};

use raster::error::Limit;
use raster::{Budget, ByteSource, Error, Result};
use zune_core::bytestream::{ZByteIoError, ZByteReaderTrait, ZSeekFrom};
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::error::{Cause, unsupported};
use crate::frame::{Coding, Component, FrameHead, Model};
use crate::markers::Head;

/// Most scans in a progressive picture. Encoders write 10 to 15; more only make the same pixels slowly.
const MAX_SCANS: usize = 100;

/// Bytes of the file held at once.
const WINDOW: usize = 128 * 1024;

/// A decoded picture.
pub(crate) struct Decoded {
    /// As stored, interleaved.
    pub(crate) samples: Vec<u8>,
    /// Whether three samples are YCbCr.
    pub(crate) is_ycbcr: bool,
    /// 1, 3 or 4.
    pub(crate) samples_per_pixel: usize,
    /// How many rows hold picture.
    pub(crate) rows: u32,
    /// Whether the data went on to its end.
    pub(crate) complete: bool,
}

/// What decoding holds at once, in bytes.
pub(crate) struct Memory {
    samples: u64,
    coefficients: u64,
    working: u64,
}

impl Memory {
    pub(crate) const fn total(&self) -> u64 {
        self.samples + self.coefficients + self.working
    }
}

/// What decoding this picture will hold. Coefficients are kept as i16 when they come in several scans. Working buffers
/// are a bound on the library's: per component and padded column at most 27 i16 for each sampled row and 8 more.
pub(crate) fn memory(head: &Head) -> Memory {
    let frame = &head.frame;
    let (across, down) = frame.most();
    let mcu_width = 8 * u64::from(across);
    let padded = u64::from(frame.size.width).div_ceil(mcu_width) * mcu_width;
    let several_scans = frame.coding == Coding::Progressive || !is_interleaved(head);
    Memory {
        samples: frame.size.area() * samples_per_pixel(head.model) as u64,
        coefficients: if several_scans { frame.blocks() * 64 * 2 } else { 0 },
        working: WINDOW as u64 + 2 * padded * (27 * u64::from(down) + 8) * frame.components.len() as u64,
    }
}

const fn samples_per_pixel(model: Model) -> usize {
    match model {
        Model::Gray => 1,
        Model::YCbCr | Model::Rgb => 3,
        Model::Cmyk { .. } | Model::Ycck | Model::Other => 4,
    }
}

/// Whether the first scan has all components.
fn is_interleaved(head: &Head) -> bool {
    usize::from(head.scan_components) == head.frame.components.len()
}

/// Decodes the whole picture.
///
/// # Errors
/// `Unsupported`, `Malformed` when not a single row comes out, `Limit`, `Io`.
pub(crate) fn decode(source: &dyn ByteSource, head: &Head, budget: &Budget) -> Result<Decoded> {
    check_supported(head)?;
    let memory = memory(head);
    budget.charge(memory.working)?;
    reserve(memory.coefficients, budget)?;
    let mut samples = budget.filled(memory.samples, 0_u8)?;

    let outcome = Outcome::default();
    let input = Input::new(source, library_header(head), head.scan_offset, &outcome);
    let colors = match samples_per_pixel(head.model) {
        1 => ColorSpace::Luma,
        3 => ColorSpace::RGB,
        _ => ColorSpace::CMYK,
    };
    let options = DecoderOptions::default()
        .set_max_width(crate::MAX_SIDE as usize)
        .set_max_height(crate::MAX_SIDE as usize)
        .set_strict_mode(false)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(colors);
    let result = JpegDecoder::new_with_options(input, options).decode_into(&mut samples);
    if let Some(failure) = outcome.failure.take() {
        return Err(failure);
    }
    let complete = result.is_ok() && !outcome.overrun.get();
    let mut decoded = Decoded {
        samples,
        is_ycbcr: head.model == Model::YCbCr,
        samples_per_pixel: samples_per_pixel(head.model),
        rows: head.frame.size.height,
        complete,
    };
    if !complete {
        decoded.rows = rows_with_picture(&decoded, head.frame.size.width);
    }
    match result {
        Err(error) if is_scan_limit(&error) => Err(Limit::Parts("scans").into()),
        Err(error) if decoded.rows == 0 => Err(Cause::Scan(error.to_string()).at(head.scan_offset)),
        Ok(()) if decoded.rows == 0 => Err(Cause::Scan("the file ends".into()).at(head.scan_offset)),
        _ => Ok(decoded),
    }
}

/// Refuses what the library cannot decode, decodes wrongly, or panics at.
fn check_supported(head: &Head) -> Result<()> {
    let frame = &head.frame;
    match frame.coding {
        Coding::Sequential | Coding::Progressive => {}
        Coding::Arithmetic => return Err(unsupported("arithmetic coding")),
        Coding::Lossless => return Err(unsupported("lossless coding")),
        Coding::Hierarchical => return Err(unsupported("hierarchical coding")),
    }
    if frame.precision != 8 {
        return Err(unsupported("more than 8 bits per sample"));
    }
    if head.model == Model::Other {
        return Err(unsupported("this number of components"));
    }
    if !are_factors_supported(frame) {
        return Err(unsupported("this combination of sampling factors"));
    }
    // Alone, a component's blocks end where it ends, not with whole MCUs (A.2.3); downwards the library takes no
    // notice.
    if frame.coding == Coding::Sequential && !is_interleaved(head) && frame.most().1 > 1 {
        return Err(unsupported("vertically subsampled colour in scans of its own"));
    }
    Ok(())
}

/// Whether the library enlarges every component right, as tests/sampling.rs finds by comparing every combination with
/// djpeg. Usual factors pass; refused are fractions; rows doubled for a component that has several in an MCU; its
/// general way beside its special one for doubled rows, or where the first component is enlarged; and a first component
/// with fewer columns than another, whose width it takes for a buffer's (an assertion fails).
fn are_factors_supported(frame: &FrameHead) -> bool {
    let (across, down) = frame.most();
    let ratio = |c: &Component| (across / c.across, down / c.down);
    let is_doubled = |c: &Component| matches!(ratio(c), (1 | 2, 2));
    let is_general = |c: &Component| !matches!(ratio(c), (1 | 2, 1 | 2));
    let any = |property: &dyn Fn(&Component) -> bool| frame.components.iter().any(property);
    let is_fraction = any(&|c| across % c.across != 0 || down % c.down != 0 || c.across == 3);
    let has_doubled_pairs = any(&|c| is_doubled(c) && c.down > 1);
    let Some(first) = frame.components.first() else { return false };
    let is_general_safe = !any(&is_general) || (!any(&is_doubled) && ratio(first) == (1, 1));
    !is_fraction && !has_doubled_pairs && is_general_safe && first.across == across
}

/// Makes sure that the allocator has these bytes, so that the library's own request, which would abort, can be met.
fn reserve(bytes: u64, budget: &Budget) -> Result<()> {
    let before = budget.used();
    budget.charge(bytes)?;
    let refused = || Error::from(Limit::Memory { need: before + bytes, have: before });
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(usize::try_from(bytes).map_err(|_| refused())?).map_err(|_| refused())
}

/// A header that says the same as the file's, up to the first scan: SOI, Adobe's colour marker, frame, tables, restart
/// interval.
fn library_header(head: &Head) -> Vec<u8> {
    let frame = &head.frame;
    let mut bytes = vec![0xFF, 0xD8];
    if head.model != Model::Gray {
        // The last 0 means RGB with three components and CMYK with four: samples come as they are stored.
        bytes.extend([0xFF, 0xEE, 0, 14]);
        bytes.extend(b"Adobe\0\x64\0\0\0\0\0");
    }
    let code = if frame.coding == Coding::Progressive { 0xC2 } else { 0xC0 };
    let count = frame.components.len() as u8;
    bytes.extend([0xFF, code, 0, 8 + 3 * count, frame.precision]);
    bytes.extend((frame.size.height as u16).to_be_bytes());
    bytes.extend((frame.size.width as u16).to_be_bytes());
    bytes.push(count);
    bytes.extend(frame.components.iter().flat_map(|c| [c.id, c.across << 4 | c.down, c.table]));
    head.tables.write(&mut bytes);
    bytes.extend([0xFF, 0xDD, 0, 4]);
    bytes.extend(head.restart_interval.to_be_bytes());
    bytes
}

fn is_scan_limit(error: &DecodeErrors) -> bool {
    matches!(error, DecodeErrors::Format(message) if message.starts_with("Too many scans"))
}

/// Rows down to the last one that the library wrote: it leaves our zeros, or fills with 128, where there are no data.
fn rows_with_picture(decoded: &Decoded, width: u32) -> u32 {
    let row_len = width as usize * decoded.samples_per_pixel;
    let is_blank = |row: &[u8]| row.iter().all(|&v| v == 0) || row.iter().all(|&v| v == 128);
    let blank = decoded.samples.rchunks_exact(row_len).take_while(|row| is_blank(row)).count();
    decoded.rows - blank as u32
}

/// What happened to the input, for after the library has consumed it.
#[derive(Default)]
struct Outcome {
    /// Bytes were wanted beyond the end.
    overrun: Cell<bool>,
    /// The carrier failed.
    failure: RefCell<Option<Error>>,
}

/// The bytes the library reads: our header, then the file from the first scan on, through a window over the source. In
/// wasm, 24 MP take 222 ms of processor time this way, 231 out of one slice of memory, 283 through the library's own
/// `BufRead` path.
struct Input<'a> {
    source: &'a dyn ByteSource,
    /// Length of our header, and where in the file its continuation stands.
    header_len: u64,
    scan_offset: u64,
    /// Offset of `window[0]`, counted from the start of our header.
    start: u64,
    window: Vec<u8>,
    next: usize,
    outcome: &'a Outcome,
}

impl<'a> Input<'a> {
    fn new(source: &'a dyn ByteSource, header: Vec<u8>, scan_offset: u64, outcome: &'a Outcome) -> Self {
        Self { source, header_len: header.len() as u64, scan_offset, start: 0, window: header, next: 0, outcome }
    }

    fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    fn len(&self) -> u64 {
        self.header_len + self.source.byte_len().saturating_sub(self.scan_offset)
    }

    /// Moves the window on; false at the end.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> bool {
        self.start = self.position();
        self.next = 0;
        let want = self.len().saturating_sub(self.start).min(WINDOW as u64) as usize;
        self.window.resize(want, 0);
        // Our header is only ever left forwards: the library goes back four bytes at most, and the scan's header is
        // longer.
        let Some(behind_header) = self.start.checked_sub(self.header_len) else { return false };
        let filled = match self.source.read_at(self.scan_offset + behind_header, &mut self.window) {
            Ok(filled) => filled,
            Err(error) => {
                self.outcome.failure.replace(Some(error));
                0
            }
        };
        self.window.truncate(filled);
        filled > 0
    }

    /// Fills `into` as far as the file goes; returns how many bytes that were.
    #[cold]
    #[inline(never)]
    fn read_slowly(&mut self, into: &mut [u8]) -> usize {
        let mut done = 0;
        while done < into.len() && (self.next < self.window.len() || self.refill()) {
            let n = (self.window.len() - self.next).min(into.len() - done);
            into[done..done + n].copy_from_slice(&self.window[self.next..self.next + n]);
            self.next += n;
            done += n;
        }
        done
    }

    fn seek_to(&mut self, offset: u64) {
        match offset.checked_sub(self.start) {
            Some(within) if within <= self.window.len() as u64 => self.next = within as usize,
            _ => {
                self.start = offset;
                self.next = 0;
                self.window.clear();
            }
        }
    }
}

impl ZByteReaderTrait for Input<'_> {
    #[inline(always)]
    fn read_byte_no_error(&mut self) -> u8 {
        if let Some(&byte) = self.window.get(self.next) {
            self.next += 1;
            return byte;
        }
        let mut byte = [0];
        if self.read_slowly(&mut byte) == 0 {
            self.outcome.overrun.set(true);
        }
        byte[0]
    }

    #[inline(always)]
    fn read_exact_bytes(&mut self, into: &mut [u8]) -> Result<(), ZByteIoError> {
        if let Some(bytes) = self.window.get(self.next..self.next + into.len()) {
            into.copy_from_slice(bytes);
            self.next += into.len();
            return Ok(());
        }
        let before = self.position();
        let n = self.read_slowly(into);
        if n < into.len() {
            self.seek_to(before);
            return Err(ZByteIoError::NotEnoughBytes(n, into.len()));
        }
        Ok(())
    }

    fn read_bytes(&mut self, into: &mut [u8]) -> Result<usize, ZByteIoError> {
        Ok(self.read_slowly(into))
    }

    fn peek_bytes(&mut self, into: &mut [u8]) -> Result<usize, ZByteIoError> {
        let before = self.position();
        let n = self.read_slowly(into);
        self.seek_to(before);
        Ok(n)
    }

    fn peek_exact_bytes(&mut self, into: &mut [u8]) -> Result<(), ZByteIoError> {
        match self.peek_bytes(into)? {
            n if n < into.len() => Err(ZByteIoError::NotEnoughBytes(n, into.len())),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn z_seek(&mut self, from: ZSeekFrom) -> Result<u64, ZByteIoError> {
        let offset = match from {
            ZSeekFrom::Start(offset) => Some(offset),
            ZSeekFrom::Current(delta) => self.position().checked_add_signed(delta),
            ZSeekFrom::End(delta) => self.len().checked_add_signed(delta),
        };
        let offset = offset.ok_or(ZByteIoError::SeekError("before the start"))?;
        self.seek_to(offset);
        Ok(offset)
    }

    #[inline(always)]
    fn is_eof(&mut self) -> Result<bool, ZByteIoError> {
        let at_end = self.next == self.window.len() && !self.refill();
        if at_end {
            // A whole file's last byte is taken with its EOI marker, without a look beyond.
            self.outcome.overrun.set(true);
        }
        Ok(at_end)
    }

    fn z_position(&mut self) -> Result<u64, ZByteIoError> {
        Ok(self.position())
    }

    fn read_remaining(&mut self, sink: &mut Vec<u8>) -> Result<usize, ZByteIoError> {
        let before = sink.len();
        while self.next < self.window.len() || self.refill() {
            sink.extend_from_slice(&self.window[self.next..]);
            self.next = self.window.len();
        }
        Ok(sink.len() - before)
    }
}
