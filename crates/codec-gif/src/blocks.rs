//! The blocks of a file (GIF89a, appendix A), for reading, writing and copying.

use raster::{ByteSource, Cursor, Result};

/// The first bytes of the two versions.
pub(crate) const SIGNATURES: [[u8; 6]; 2] = [*b"GIF87a", *b"GIF89a"];

/// Bytes of the signature and the logical screen descriptor.
pub(crate) const HEADER_BYTES: usize = 13;
/// Bytes of an image descriptor behind its introducer.
pub(crate) const DESCRIPTOR_BYTES: usize = 9;

/// Introduces a frame.
pub(crate) const IMAGE: u8 = 0x2C;
/// Introduces an extension; its label follows.
pub(crate) const EXTENSION: u8 = 0x21;
/// Ends the file.
pub(crate) const TRAILER: u8 = 0x3B;

/// The extension that says how the next frame is shown.
pub(crate) const GRAPHIC_CONTROL: u8 = 0xF9;
/// The extension with a comment.
pub(crate) const COMMENT: u8 = 0xFE;
/// The extension with text that is drawn as a frame of its own. No browser draws it.
pub(crate) const PLAIN_TEXT: u8 = 0x01;
/// The extension that belongs to a program, which its first sub-block names.
pub(crate) const APPLICATION: u8 = 0xFF;

/// Says how often an animation runs.
pub(crate) const LOOP: [u8; 11] = *b"NETSCAPE2.0";
/// The same by another program.
pub(crate) const LOOP_TOO: [u8; 11] = *b"ANIMEXTS1.0";
/// Holds a packet of XMP, not in sub-blocks (XMP specification, part 3, §1.1.2).
pub(crate) const XMP: [u8; 11] = *b"XMP DataXMP";
/// Holds an ICC profile (ICC.1:2022, B.5).
pub(crate) const ICC: [u8; 11] = *b"ICCRGBG1012";

/// Follows a packet of XMP: each byte leads readers that take the packet for sub-blocks to the end of the extension.
pub(crate) fn xmp_trailer() -> impl DoubleEndedIterator<Item = u8> {
    [1].into_iter().chain((0..=255).rev()).chain([0])
}

/// The bit of a descriptor that says that a palette follows; the lowest three bits tell its size.
pub(crate) const HAS_PALETTE: u8 = 0x80;
/// The bit of a frame's descriptor that says that its rows come in four passes.
pub(crate) const INTERLACED: u8 = 0x40;
/// The bit of a graphic control that says that one index is transparent.
pub(crate) const HAS_TRANSPARENT: u8 = 0x01;

/// Returns the number of colours in the palette behind a descriptor with these flags; `None` if there is no palette.
pub(crate) fn palette_colors(flags: u8) -> Option<u16> {
    (flags & HAS_PALETTE != 0).then(|| 2 << (flags & 7))
}

/// Reads a sub-block. Returns the number of its bytes that the file has; 0 for the empty sub-block, which is the last.
pub(crate) fn read_block(cursor: &mut Cursor<&dyn ByteSource>, into: &mut [u8; 255]) -> Result<usize> {
    let len = usize::from(cursor.read_byte()?.unwrap_or(0));
    cursor.read_full(&mut into[..len])
}

/// Passes over all sub-blocks. Returns false if the file ends before the empty one.
pub(crate) fn skip_blocks(cursor: &mut Cursor<&dyn ByteSource>) -> Result<bool> {
    loop {
        match cursor.read_byte()? {
            None => return Ok(false),
            Some(0) => return Ok(true),
            Some(len) => cursor.seek_to(cursor.position() + u64::from(len)),
        }
    }
}
