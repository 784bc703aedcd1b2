//! The header, to and from bytes.

use raster::limits::{MAX_SIDE, check_size};
use raster::{Channels, Depth, FrameHeader, PixelFormat, Result, Size};

use crate::error::Cause;

/// The first eight bytes. The first is no text, the end catches transfers that turn line ends.
pub const MAGIC: &[u8] = b"\x93ROW\r\n\x1a\n";

/// Bytes before the first row.
pub const HEADER_LEN: usize = 24;

const VERSION: u8 = 1;

/// The header of a frame.
pub(crate) fn to_bytes(frame: &FrameHeader) -> [u8; HEADER_LEN] {
    let mut bytes = [0; HEADER_LEN];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8] = VERSION;
    bytes[9] = frame.pixels.channels.count() as u8;
    bytes[10] = frame.pixels.depth.bits();
    bytes[12..16].copy_from_slice(&frame.size.width.to_le_bytes());
    bytes[16..20].copy_from_slice(&frame.size.height.to_le_bytes());
    bytes
}

/// The frame that the header describes, for a file of `file_len` bytes.
pub(crate) fn from_bytes(bytes: &[u8; HEADER_LEN], file_len: u64) -> Result<FrameHeader> {
    if !bytes.starts_with(MAGIC) {
        return Err(Cause::NoMagic.at(0));
    }
    let [version, samples, bits, reserved] = [8, 9, 10, 11].map(|at: usize| bytes[at]);
    let [width, height, reserved_word] =
        [12, 16, 20].map(|at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
    if version != VERSION {
        return Err(Cause::Version(version).at(8));
    }
    let channels = match samples {
        1 => Some(Channels::Gray),
        2 => Some(Channels::GrayAlpha),
        3 => Some(Channels::Rgb),
        4 => Some(Channels::Rgba),
        _ => None,
    };
    let depth = match bits {
        8 => Some(Depth::Eight),
        16 => Some(Depth::Sixteen),
        _ => None,
    };
    let pixels = channels.zip(depth).ok_or_else(|| Cause::Pixels { samples, bits }.at(9))?;
    if reserved != 0 || reserved_word != 0 {
        return Err(Cause::Reserved.at(if reserved != 0 { 11 } else { 20 }));
    }
    let frame = FrameHeader::new(Size::new(width, height), PixelFormat::new(pixels.0, pixels.1));
    check_size(frame.size, MAX_SIDE)?;
    let expected = HEADER_LEN as u64 + frame.row_bytes() * u64::from(height);
    if file_len != expected {
        return Err(Cause::Length { expected, found: file_len }.at(file_len));
    }
    Ok(frame)
}
