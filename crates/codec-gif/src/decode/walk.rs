//! A walk over all blocks of a file, once: it finds the frames and the metadata, and reads no pixels.

use animation::{Blending, Disposal, Placement};
use raster::{Budget, ByteSource, Cursor, GrowingList, Metadata, Notes, Rect, Result, Size, Text, Warning, icc};

use super::frame::{PaletteStart, StoredFrame};
use crate::blocks::{
    APPLICATION, COMMENT, DESCRIPTOR_BYTES, EXTENSION, GRAPHIC_CONTROL, HAS_TRANSPARENT, HEADER_BYTES, ICC, IMAGE,
    LOOP, LOOP_TOO, SIGNATURES, TRAILER, XMP, palette_colors, read_block, skip_blocks, xmp_trailer,
};
use crate::error::Cause;

/// Frames for which the list has room at first.
const FIRST_ROOM: usize = 16;

/// Comments that are kept at most.
const MAX_COMMENTS: usize = 1000;

/// Bytes of a comment, a packet of XMP or a profile that are read at most.
const LONGEST_TEXT: u64 = 16 << 20;

/// What the blocks of a file say.
pub(crate) struct Contents {
    /// The logical screen, or as much more as the first frame needs, as in Chromium.
    pub(crate) canvas: Size,
    pub(crate) palette: Option<PaletteStart>,
    /// Bits of an index, as the header says.
    pub(crate) depth: u8,
    pub(crate) frames: Vec<StoredFrame>,
    /// How often an animation runs; 0 is for ever.
    pub(crate) plays: u32,
    pub(crate) metadata: Metadata,
}

/// The graphic control in front of a frame.
#[derive(Clone, Copy)]
struct Control {
    disposal: Disposal,
    delay: u16,
    transparent: Option<u8>,
}

const NO_CONTROL: Control = Control { disposal: Disposal::Keep, delay: 0, transparent: None };

/// Reads all blocks up to the trailer, the end of the file or the first byte that begins no block.
///
/// # Errors
/// `Malformed` for a file without a frame, `Limit` when the budget does not pay for the list of frames, `Io`.
pub(crate) fn walk(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Contents> {
    let mut walk = Walk {
        cursor: Cursor::new(source, 0),
        source,
        budget,
        notes,
        frames: GrowingList::new(FIRST_ROOM, budget),
        control: NO_CONTROL,
        contents: header(source)?,
    };
    let palette = walk.contents.palette.map_or(0, PaletteStart::bytes);
    walk.cursor.seek_to(HEADER_BYTES as u64 + palette);
    while walk.step()? {}
    let Walk { contents, frames, cursor, .. } = walk;
    if frames.is_empty() {
        return Err(Cause::NoFrame.at(cursor.position()));
    }
    Ok(Contents { frames: frames.into_vec()?, ..contents })
}

fn header(source: &dyn ByteSource) -> Result<Contents> {
    let mut bytes = [0; HEADER_BYTES];
    let filled = source.read_full_at(0, &mut bytes)?;
    if !SIGNATURES.iter().any(|signature| bytes.starts_with(signature)) {
        return Err(Cause::NoMagic.at(0));
    }
    if filled < bytes.len() {
        return Err(Cause::HeaderCut.at(filled as u64));
    }
    let [_, _, _, _, _, _, w0, w1, h0, h1, flags, _, _] = bytes;
    Ok(Contents {
        canvas: Size::new(u16::from_le_bytes([w0, w1]).into(), u16::from_le_bytes([h0, h1]).into()),
        palette: palette(flags, HEADER_BYTES as u64),
        depth: (flags & 7) + 1,
        frames: Vec::new(),
        // Browsers show an animation once that does not say how often.
        plays: 1,
        metadata: Metadata::default(),
    })
}

/// The palette that a descriptor announces at `offset`.
fn palette(flags: u8, offset: u64) -> Option<PaletteStart> {
    palette_colors(flags).map(|colors| PaletteStart { offset, colors })
}

struct Walk<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    source: &'a dyn ByteSource,
    budget: &'a Budget,
    notes: &'a Notes,
    frames: GrowingList<'a, StoredFrame>,
    control: Control,
    contents: Contents,
}

impl Walk<'_> {
    /// Reads a block. False behind the last.
    fn step(&mut self) -> Result<bool> {
        match self.cursor.read_byte()? {
            Some(IMAGE) => self.image(),
            Some(EXTENSION) => {
                let label = self.cursor.read_byte()?;
                match label {
                    Some(GRAPHIC_CONTROL) => self.graphic_control()?,
                    Some(COMMENT) => self.comment()?,
                    Some(APPLICATION) => self.application()?,
                    _ => _ = skip_blocks(&mut self.cursor)?,
                }
                Ok(label.is_some())
            }
            Some(TRAILER) | None | Some(_) => Ok(false),
        }
    }

    /// A frame. One whose data are cut off is left out unless it is the first.
    fn image(&mut self) -> Result<bool> {
        let mut bytes = [0; DESCRIPTOR_BYTES];
        if self.cursor.read_full(&mut bytes)? < bytes.len() {
            return Ok(false);
        }
        let [x0, x1, y0, y1, w0, w1, h0, h1, flags] = bytes;
        let [x, y, width, height] =
            [[x0, x1], [y0, y1], [w0, w1], [h0, h1]].map(|bytes| u32::from(u16::from_le_bytes(bytes)));
        let is_first = self.frames.is_empty();
        if is_first {
            let Size { width: screen_width, height: screen_height } = self.contents.canvas;
            self.contents.canvas = Size::new(screen_width.max(x + width), screen_height.max(y + height));
        }
        let palette = palette(flags, self.cursor.position());
        let data = self.cursor.position() + palette.map_or(0, PaletteStart::bytes);
        self.cursor.seek_to(data + 1);
        let is_whole = skip_blocks(&mut self.cursor)?;
        if !is_whole && !is_first {
            let frames = self.frames.len() as u32 + 1;
            self.notes.warn(Warning::FramesSkipped { skipped: 1, of: frames });
            return Ok(false);
        }
        let Control { disposal, delay, transparent } = core::mem::replace(&mut self.control, NO_CONTROL);
        let region = visible(Rect { x, y, width, height }, self.contents.canvas);
        // The canvas takes no empty region.
        let nothing = Placement {
            region: Rect { x: 0, y: 0, width: 1, height: 1 },
            disposal: Disposal::Keep,
            blending: Blending::Over,
        };
        self.frames.push(StoredFrame {
            size: Size::new(width, height),
            placement: region.map_or(nothing, |region| Placement { region, disposal, ..nothing }),
            is_visible: region.is_some(),
            delay,
            transparent,
            interlaced: StoredFrame::is_interlaced(flags),
            palette: palette.or(self.contents.palette),
            data,
        })?;
        Ok(is_whole)
    }

    fn graphic_control(&mut self) -> Result<()> {
        let mut block = [0; 255];
        let n = read_block(&mut self.cursor, &mut block)?;
        if let [flags, d0, d1, transparent, ..] = block[..n] {
            self.control = Control {
                disposal: match flags >> 2 & 7 {
                    2 => Disposal::Clear,
                    // 4 is an old mistake for 3 that browsers honour.
                    3 | 4 => Disposal::Restore,
                    _ => Disposal::Keep,
                },
                delay: u16::from_le_bytes([d0, d1]),
                transparent: (flags & HAS_TRANSPARENT != 0).then_some(transparent),
            };
        }
        if n > 0 { skip_blocks(&mut self.cursor).map(|_| ()) } else { Ok(()) }
    }

    fn comment(&mut self) -> Result<()> {
        if self.contents.metadata.texts.len() == MAX_COMMENTS {
            return skip_blocks(&mut self.cursor).map(|_| ());
        }
        let bytes = self.joined_blocks()?;
        // Latin-1 becomes up to twice as long.
        self.budget.charge(2 * bytes.len() as u64)?;
        self.contents.metadata.texts.extend(Text::comment_from(&bytes));
        Ok(())
    }

    fn application(&mut self) -> Result<()> {
        let mut name = [0; 255];
        let n = read_block(&mut self.cursor, &mut name)?;
        let Some(name) = name[..n].first_chunk::<11>() else {
            return if n > 0 { skip_blocks(&mut self.cursor).map(|_| ()) } else { Ok(()) };
        };
        match *name {
            LOOP | LOOP_TOO => self.repetitions(),
            ICC => self.profile(),
            XMP => self.xmp(),
            _ => skip_blocks(&mut self.cursor).map(|_| ()),
        }
    }

    /// How often an animation is repeated, which is once less than it runs. The last of several extensions counts, as
    /// in Chromium.
    fn repetitions(&mut self) -> Result<()> {
        let mut block = [0; 255];
        loop {
            let n = read_block(&mut self.cursor, &mut block)?;
            match block[..n] {
                [] => return Ok(()),
                [1, low, high, ..] => {
                    let repetitions = u32::from(u16::from_le_bytes([low, high]));
                    self.contents.plays = if repetitions == 0 { 0 } else { repetitions + 1 };
                }
                _ => {}
            }
        }
    }

    fn profile(&mut self) -> Result<()> {
        let mut bytes = self.joined_blocks()?;
        match icc::sound(&bytes, icc::RGB).map(<[u8]>::len) {
            Some(len) => {
                bytes.truncate(len);
                self.contents.metadata.icc = Some(bytes);
            }
            None if bytes.is_empty() => {}
            None => self.notes.warn(Warning::BrokenProfile),
        }
        Ok(())
    }

    /// A packet of XMP, which stands in the file as it is, with a trailer behind it.
    fn xmp(&mut self) -> Result<()> {
        let start = self.cursor.position();
        skip_blocks(&mut self.cursor)?;
        let len = (self.cursor.position() - start).min(LONGEST_TEXT);
        let mut packet = self.budget.filled(len, 0)?;
        let filled = self.source.read_full_at(start, &mut packet)?;
        packet.truncate(filled);
        let trailer: Vec<u8> = xmp_trailer().collect();
        if packet.ends_with(&trailer) {
            packet.truncate(packet.len() - trailer.len());
            let is_text = !packet.is_empty() && core::str::from_utf8(&packet).is_ok();
            self.contents.metadata.xmp = is_text.then_some(packet);
        }
        Ok(())
    }

    /// The bytes of all sub-blocks up to the empty one, as far as they are not too many.
    fn joined_blocks(&mut self) -> Result<Vec<u8>> {
        let start = self.cursor.position();
        skip_blocks(&mut self.cursor)?;
        let end = self.cursor.position();
        // The lengths of the sub-blocks are a part of the room, so the list never grows.
        let room = (end - start).min(LONGEST_TEXT);
        let mut joined = self.budget.reserved(room)?;
        self.cursor.seek_to(start);
        let mut block = [0; 255];
        loop {
            let n = read_block(&mut self.cursor, &mut block)?;
            if n == 0 {
                self.cursor.seek_to(end);
                return Ok(joined);
            }
            joined.extend(&block[..n.min(room as usize - joined.len())]);
        }
    }
}

/// The part of a frame that is on the canvas.
fn visible(frame: Rect, canvas: Size) -> Option<Rect> {
    let width = canvas.width.saturating_sub(frame.x).min(frame.width);
    let height = canvas.height.saturating_sub(frame.y).min(frame.height);
    (width > 0 && height > 0).then_some(Rect { width, height, ..frame })
}
