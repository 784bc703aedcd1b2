//! What the blocks of a file begin with (GIF89a, appendix A), for reader and writer.

/// The first bytes of the two versions.
pub(crate) const SIGNATURES: [[u8; 6]; 2] = [*b"GIF87a", *b"GIF89a"];

/// Bytes of the signature and the logical screen descriptor.
pub(crate) const HEADER_BYTES: usize = 13;

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
