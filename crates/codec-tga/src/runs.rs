//! Run-length code: packets of a byte, which says how many pixels follow and whether they are one that repeats. A
//! packet may go on in the next row, which the specification forbids and old programs do.

use raster::{Budget, ByteSource, Cursor, Result, Size};

/// The most pixels in a packet.
const LONGEST: usize = 128;

/// Where a row starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The offset of the packet.
    at: u64,
    /// Pixels of it that belong to rows before.
    done: u8,
}

/// Reads the first byte of a packet: how many pixels it has, and whether they are all the same.
const fn packet(head: u8) -> (usize, bool) {
    ((head & 0x7F) as usize + 1, head & 0x80 != 0)
}

/// The start of each row that is in the file.
pub(crate) fn starts(
    source: &dyn ByteSource,
    at: u64,
    size: Size,
    pixel_bytes: usize,
    budget: &Budget,
) -> Result<Vec<Start>> {
    let mut starts = budget.reserved(size.height.into())?;
    let (width, area) = (u64::from(size.width), size.area());
    let mut cursor = Cursor::new(source, at);
    // Pixels of the packets so far.
    let mut pixels = 0;
    while pixels < area {
        let packet_at = cursor.position();
        let Some(head) = cursor.read_byte()? else { break };
        let (count, repeats) = packet(head);
        cursor.seek_to(cursor.position() + (if repeats { 1 } else { count } * pixel_bytes) as u64);
        if cursor.position() > source.byte_len() {
            break;
        }
        let end = (pixels + count as u64).min(area);
        for first in (pixels.next_multiple_of(width)..end).step_by(size.width as usize) {
            starts.push(Start { at: packet_at, done: (first - pixels) as u8 });
        }
        pixels = end;
    }
    // A row is there if its last pixel is.
    starts.truncate((pixels / width) as usize);
    Ok(starts)
}

/// The most bytes of a row's code.
pub(crate) const fn longest(width: u32, pixel_bytes: usize) -> u64 {
    width as u64 * (1 + pixel_bytes as u64) + 2 * (1 + (LONGEST * pixel_bytes) as u64)
}

impl Start {
    /// The offset of the row's first packet.
    pub(crate) const fn at(self) -> u64 {
        self.at
    }

    /// Unpacks a row whose code begins at the start of `code`. What the code does not have stays as it is.
    pub(crate) fn unpack(self, mut code: &[u8], pixel_bytes: usize, row: &mut [u8]) {
        let (mut done, mut filled) = (usize::from(self.done), 0);
        while filled < row.len() {
            let Some((&head, rest)) = code.split_first() else { return };
            let (count, repeats) = packet(head);
            let len = if repeats { pixel_bytes } else { count * pixel_bytes };
            let Some((pixels, rest)) = rest.split_at_checked(len) else { return };
            let wanted = (count - done).min((row.len() - filled) / pixel_bytes);
            let into = &mut row[filled..filled + wanted * pixel_bytes];
            if repeats {
                into.chunks_exact_mut(pixel_bytes).for_each(|pixel| pixel.copy_from_slice(pixels));
            } else {
                into.copy_from_slice(&pixels[done * pixel_bytes..][..into.len()]);
            }
            (done, filled, code) = (0, filled + into.len(), rest);
        }
    }
}
