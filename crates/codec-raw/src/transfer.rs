//! The decoder's side of a transfer: a whole file, read by any reader and written as raw rows.

use std::rc::Rc;

use raster::steps::{pause, retried};
use raster::{Budget, ByteSink, ImageInfo, ImageReader, Note, Notes, Result, RowReader, StoredGainMap, Wanted};

use crate::encode::Blocks;

/// Writes everything that `reader` returns to `sink`, one row in each step. A warning precedes the row that caused it,
/// and damage of a frame or of its remaining rows is written as a `LOST` block, so that the receiving job handles both
/// as if it had opened the file itself. `gain_map` is that of the picture, in a file of
/// [`gain_map_rows`](crate::gain_map_rows).
///
/// # Errors
/// `Io` and `Limit` of the reader or the sink, and every other error that is not damage of the file.
pub async fn transfer(
    reader: &mut dyn ImageReader,
    gain_map: Option<StoredGainMap>,
    sink: &mut dyn ByteSink,
    budget: &Budget,
    notes: &Notes,
) -> Result<()> {
    // The map is copied to its block and to the head.
    let copies = budget.scope();
    copies.charge(gain_map.as_ref().map_or(0, |map| 2 * map.start.len() as u64))?;
    let info = ImageInfo { carried_gain_map: gain_map.map(Rc::new), ..reader.info().clone() };
    let written = notes.notes();
    let head: Vec<_> = written.iter().map(|note| note.warning.clone()).collect();
    let mut sent = Sent { blocks: Blocks::start(sink, &info, &head)?, notes, written };
    let frames = info.frames;
    drop((info, copies));
    let mut row = Vec::new();
    for number in 0..frames {
        notes.begin_frame(number);
        match frame(reader, &mut sent, &mut row, budget).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                sent.notes()?;
                sent.blocks.lost(error)?;
            }
        }
        pause().await;
    }
    sent.notes()?;
    sent.blocks.end()
}

/// The blocks, and the warnings that they contain.
struct Sent<'a> {
    blocks: Blocks<'a>,
    notes: &'a Notes,
    written: Vec<Note>,
}

impl Sent<'_> {
    /// Writes the warnings that came since the last call.
    fn notes(&mut self) -> Result<()> {
        let all = self.notes.notes();
        let new = all.iter().filter(|note| !self.written.contains(note));
        new.into_iter().try_for_each(|note| self.blocks.note(&note.warning))?;
        self.written = all;
        Ok(())
    }
}

/// Writes a frame. Returns false when there is none.
async fn frame(reader: &mut dyn ImageReader, sent: &mut Sent<'_>, row: &mut Vec<u8>, budget: &Budget) -> Result<bool> {
    let frame = loop {
        match reader.next_frame(&Wanted::FULL_SIZE) {
            Err(error) if error.is_not_yet() => {}
            result => break result?,
        }
        pause().await;
    };
    let Some(mut frame) = frame else { return Ok(false) };
    let row_bytes = frame.info.row_bytes();
    if row.len() as u64 != row_bytes {
        *row = Vec::new();
        *row = budget.filled(row_bytes, 0)?;
    }
    for y in 0..frame.info.size.height {
        retried(|| frame.rows.read_row(row)).await?;
        if y == 0 {
            sent.blocks.frame(&frame.info, &frame.metadata)?;
        }
        sent.notes()?;
        sent.blocks.row(row)?;
        pause().await;
    }
    Ok(true)
}
