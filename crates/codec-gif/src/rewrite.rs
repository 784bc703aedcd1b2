//! The copy of a file with other metadata: the blocks that pictures need byte for byte, and no others.

use raster::{ByteSink, ByteSource, Cursor, Metadata, Result};

use crate::blocks::{
    APPLICATION, DESCRIPTOR_BYTES, EXTENSION, GRAPHIC_CONTROL, HEADER_BYTES, ICC, IMAGE, LOOP, LOOP_TOO, PLAIN_TEXT,
    SIGNATURES, TRAILER, palette_colors, read_block, skip_blocks,
};
use crate::encode::write_metadata;
use crate::error::Cause;

/// Copies the GIF `source` to `sink` with `metadata` instead of its own; frames, delays, repetitions and profile stay
/// the same. Nothing behind the last block is copied. The copy of an incomplete file is incomplete too.
///
/// # Errors
/// `Malformed` for a file that does not begin as a GIF, `Io`.
pub fn rewrite_metadata(source: &dyn ByteSource, sink: &mut dyn ByteSink, metadata: &Metadata) -> Result<()> {
    let mut copy = Copy { cursor: Cursor::new(source, 0), sink, metadata: Some(metadata) };
    copy.header()?;
    while copy.step()? {}
    Ok(())
}

struct Copy<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    sink: &'a mut dyn ByteSink,
    /// The new metadata, until they are written.
    metadata: Option<&'a Metadata>,
}

impl Copy<'_> {
    /// Copies the header and the global palette. The version becomes the one that has extensions.
    fn header(&mut self) -> Result<()> {
        let mut bytes = [0; HEADER_BYTES];
        let filled = self.cursor.read_full(&mut bytes)?;
        let [old, new] = SIGNATURES;
        if filled < bytes.len() || !(bytes.starts_with(&old) || bytes.starts_with(&new)) {
            return Err(Cause::NoMagic.at(0));
        }
        self.sink.write(&new)?;
        self.sink.write(&bytes[new.len()..])?;
        let start = self.cursor.position();
        self.cursor.seek_to(start + palette_bytes(bytes[10]));
        self.copy_from(start)
    }

    /// Copies or leaves out a block. Returns false after the last.
    fn step(&mut self) -> Result<bool> {
        let start = self.cursor.position();
        match self.cursor.read_byte()? {
            Some(IMAGE) => self.image(start)?,
            Some(EXTENSION) => self.extension(start)?,
            Some(_) => {
                self.sink.write(&[TRAILER])?;
                return Ok(false);
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    fn image(&mut self, start: u64) -> Result<()> {
        let mut bytes = [0; DESCRIPTOR_BYTES];
        self.cursor.read_full(&mut bytes)?;
        let [.., flags] = bytes;
        // The byte before the sub-blocks is the least number of bits in a code.
        self.cursor.seek_to(self.cursor.position() + palette_bytes(flags) + 1);
        skip_blocks(&mut self.cursor)?;
        self.write_metadata()?;
        self.copy_from(start)
    }

    fn extension(&mut self, start: u64) -> Result<()> {
        let label = self.cursor.read_byte()?;
        let is_kept = match label {
            Some(GRAPHIC_CONTROL | PLAIN_TEXT) => {
                self.write_metadata()?;
                true
            }
            Some(APPLICATION) => {
                let mut name = [0; 255];
                let n = read_block(&mut self.cursor, &mut name)?;
                if n == 0 {
                    return Ok(());
                }
                [LOOP, LOOP_TOO, ICC].iter().any(|kept| name[..n].starts_with(kept))
            }
            // Comments, and extensions whose content is unknown.
            _ => false,
        };
        skip_blocks(&mut self.cursor)?;
        if is_kept { self.copy_from(start) } else { Ok(()) }
    }

    /// Writes the new metadata before the first frame, behind the number of repetitions.
    fn write_metadata(&mut self) -> Result<()> {
        self.metadata.take().map_or(Ok(()), |metadata| write_metadata(self.sink, metadata))
    }

    /// Copies the bytes from `start` to the cursor, or to the end of the file.
    fn copy_from(&mut self, start: u64) -> Result<()> {
        let end = self.cursor.position();
        self.cursor.seek_to(start);
        while self.cursor.position() < end {
            let left = end - self.cursor.position();
            let window = self.cursor.peek()?;
            let n = window.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if n == 0 {
                break;
            }
            self.sink.write(&window[..n])?;
            self.cursor.advance(n);
        }
        Ok(())
    }
}

/// Returns the number of bytes in the palette behind a descriptor with these flags.
fn palette_bytes(flags: u8) -> u64 {
    palette_colors(flags).map_or(0, |colors| 3 * u64::from(colors))
}
