//! Samples decoded by `zune-jpeg`. Only this file and `library_input.rs` name the library; our own decoder will replace
//! it behind [`Samples`].
//!
//! The library never reads the file's own header. It reads a header that this file writes from the checked values of
//! [`head`](super::head), followed by the file from its first scan on. Stray bytes, irregular segments, missing Huffman
//! tables and the meaning of colours are thus resolved before. Files that the library decodes wrongly or panics at are
//! refused ([`check_supported`]), because a panic ends a WebAssembly instance.

use raster::{Budget, ByteSource, Error, Limit, Result};
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::frame::{Coding, Component, FrameHead, Model};
use super::head::Head;
use super::library_input::{Input, Outcome, WINDOW};
use crate::error::{Cause, unsupported};
use crate::marker::{code, write_segment};

/// The largest number of scans of a progressive image. Encoders write 10 to 15; a file with very many takes long to
/// decode.
const MAX_SCANS: usize = 100;

/// The samples of a frame, row by row: grey, RGB (YCbCr is converted), or four components as they are stored.
pub(crate) struct Samples {
    /// All rows, with interleaved samples.
    stored: Vec<u8>,
    /// The number of bytes in a row.
    row_len: usize,
    is_ycbcr: bool,
    /// The next row to return.
    next: u32,
    /// The number of rows from the top that contain image data.
    readable: u32,
    /// Whether the data are complete.
    is_complete: bool,
}

impl Samples {
    /// Writes the next row, or its left part that fits into `row`. Returns false and writes nothing when the data ended
    /// before.
    pub(crate) fn read_row(&mut self, row: &mut [u8]) -> bool {
        if self.next >= self.readable {
            return false;
        }
        let start = self.next as usize * self.row_len;
        let stored = &self.stored[start..start + self.row_len.min(row.len())];
        let row = &mut row[..stored.len()];
        if self.is_ycbcr {
            simd::ycbcr_to_rgb(stored, row)
        } else {
            row.copy_from_slice(stored)
        }
        self.next += 1;
        true
    }

    /// Returns the number of readable rows when the data ended early.
    pub(crate) const fn truncated_to(&self) -> Option<u32> {
        if self.is_complete { None } else { Some(self.readable) }
    }
}

/// The bytes that decoding holds at once.
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

/// Returns the memory of decoding this image. Coefficients are held as i16 when they come in several scans. `working`
/// is an upper bound of the library's buffers: per component and padded column at most 27 i16 for each sampled row and
/// 8 more.
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

/// Decodes the samples. The library decodes the whole image at once.
///
/// # Errors
/// `Unsupported`, `Malformed` when not a single row can be read, `Limit`, `Io`.
pub(crate) fn decode(source: &dyn ByteSource, head: &Head, budget: &Budget) -> Result<Samples> {
    check_supported(head)?;
    let memory = memory(head);
    budget.charge(memory.working)?;
    let mut stored = budget.filled(memory.samples, 0_u8)?;
    // This check comes last, so that the memory it finds is still free when the library allocates it.
    reserve(memory.coefficients, budget)?;

    let outcome = Outcome::default();
    let input = Input::new(source, library_header(head)?, head.scan_offset, &outcome);
    let result = JpegDecoder::new_with_options(input, library_options(head.model)).decode_into(&mut stored);
    if let Some(failure) = outcome.failure.take() {
        return Err(failure);
    }
    let is_complete = result.is_ok() && !outcome.overrun.get();
    let row_len = head.frame.size.width as usize * samples_per_pixel(head.model);
    let readable = if is_complete { head.frame.size.height } else { readable_rows(&stored, row_len) };
    match result {
        Err(error) if is_scan_limit(&error) => return Err(Limit::Parts("scans").into()),
        Err(error) if readable == 0 => return Err(Cause::Scan(error.to_string()).at(head.scan_offset)),
        Ok(()) if readable == 0 => return Err(Cause::Scan("the file ends".into()).at(head.scan_offset)),
        _ => {}
    }
    let is_ycbcr = head.model == Model::YCbCr;
    Ok(Samples { stored, row_len, is_ycbcr, next: 0, readable, is_complete })
}

/// Returns the library's options: samples are not converted, because our own code converts colours.
fn library_options(model: Model) -> DecoderOptions {
    let colors = match samples_per_pixel(model) {
        1 => ColorSpace::Luma,
        3 => ColorSpace::RGB,
        _ => ColorSpace::CMYK,
    };
    DecoderOptions::default()
        .set_max_width(crate::FORMAT.max_side as usize)
        .set_max_height(crate::FORMAT.max_side as usize)
        .set_strict_mode(false)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(colors)
}

/// Refuses images that the library cannot decode, decodes wrongly, or panics at.
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
    // The blocks of a component in a scan of its own end where the component ends, not with whole MCUs (A.2.3). The
    // library ignores this vertically.
    if frame.coding == Coding::Sequential && !is_interleaved(head) && frame.most().1 > 1 {
        return Err(unsupported("vertically subsampled colour in scans of its own"));
    }
    Ok(())
}

/// Whether the library upsamples every component correctly. tests/sampling.rs found this by comparing every combination
/// with djpeg. Usual factors are supported. Unsupported are: fractions; rows doubled for a component that has several
/// in an MCU; its general upsampling beside the special one for doubled rows, or when the first component is upsampled;
/// and a first component with fewer columns than another, whose width it uses as a buffer's (an assertion fails).
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

/// Checks that the allocator has these bytes, because a failed allocation of the library aborts.
fn reserve(bytes: u64, budget: &Budget) -> Result<()> {
    let before = budget.used();
    budget.charge(bytes)?;
    let refused = || Error::from(Limit::Memory { need: before + bytes, have: before });
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(usize::try_from(bytes).map_err(|_| refused())?).map_err(|_| refused())
}

/// Writes a header that is equivalent to the file's, up to the first scan: SOI, Adobe's segment, frame, tables, restart
/// interval.
fn library_header(head: &Head) -> Result<Vec<u8>> {
    let frame = &head.frame;
    let mut bytes = vec![0xFF, code::SOI];
    if head.model != Model::Gray {
        // The last 0 means RGB with three components and CMYK with four, so samples are not converted.
        write_segment(&mut bytes, code::APP14, &[b"Adobe\0\x64\0\0\0\0\0"])?;
    }
    let start = if frame.coding == Coding::Progressive { code::SOF2 } else { code::SOF0 };
    let [height, width] = [frame.size.height, frame.size.width].map(|side| (side as u16).to_be_bytes());
    let count = frame.components.len() as u8;
    let components: Vec<u8> = frame.components.iter().flat_map(|c| [c.id, c.across << 4 | c.down, c.table]).collect();
    write_segment(&mut bytes, start, &[&[frame.precision], &height, &width, &[count], &components])?;
    head.tables.write(&mut bytes)?;
    write_segment(&mut bytes, code::DRI, &[&head.restart_interval.to_be_bytes()])?;
    Ok(bytes)
}

fn is_scan_limit(error: &DecodeErrors) -> bool {
    matches!(error, DecodeErrors::Format(message) if message.starts_with("Too many scans"))
}

/// Returns the number of rows down to the last one that the library wrote. Rows behind the data contain our zeros or
/// the library's fill value 128.
fn readable_rows(stored: &[u8], row_len: usize) -> u32 {
    let is_blank = |row: &[u8]| row.iter().all(|&v| v == 0) || row.iter().all(|&v| v == 128);
    let blank = stored.rchunks_exact(row_len).take_while(|row| is_blank(row)).count();
    (stored.len() / row_len - blank) as u32
}
