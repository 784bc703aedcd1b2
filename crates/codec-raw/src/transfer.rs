//! The decoder's side of a transfer: a whole file, read by any reader and written as raw rows.

use raster::steps::{pause, retried};
use raster::{Budget, ByteSink, ImageReader, Notes, Result, RowReader, Wanted};

use crate::encode::Blocks;

/// Writes everything that `reader` returns to `sink`, one row in each step. Damage of a frame or of its remaining rows
/// is written as a `LOST` block, so that the receiving job handles it as if it had opened the file itself.
///
/// # Errors
/// `Io` and `Limit` of the reader or the sink, and every other error that is not damage of the file.
pub async fn transfer(
    reader: &mut dyn ImageReader,
    sink: &mut dyn ByteSink,
    budget: &Budget,
    notes: &Notes,
) -> Result<()> {
    let info = reader.info().clone();
    let mut written = notes.notes();
    let head: Vec<_> = written.iter().map(|note| note.warning.clone()).collect();
    let mut blocks = Blocks::start(sink, &info, &head)?;
    let mut row = Vec::new();
    for number in 0..info.frames {
        notes.begin_frame(number);
        let outcome = frame(reader, &mut blocks, &mut row, budget).await;
        // Warnings precede the last row of their frame, because the receiving job may read nothing behind it.
        let all = notes.notes();
        let new = all.iter().filter(|note| !written.contains(note));
        new.into_iter().try_for_each(|note| blocks.note(&note.warning))?;
        written = all;
        match outcome {
            Ok(Part::Frame) => blocks.row(&row)?,
            Ok(Part::End) => break,
            Err(error) => blocks.lost(error)?,
        }
        pause().await;
    }
    blocks.end()
}

enum Part {
    /// The last row is still to be written.
    Frame,
    End,
}

/// Writes a frame except its last row, which stays in `row`.
async fn frame(
    reader: &mut dyn ImageReader,
    blocks: &mut Blocks<'_>,
    row: &mut Vec<u8>,
    budget: &Budget,
) -> Result<Part> {
    let frame = loop {
        match reader.next_frame(&Wanted::FULL_SIZE) {
            Err(error) if error.is_not_yet() => {}
            result => break result?,
        }
        pause().await;
    };
    let Some(mut frame) = frame else { return Ok(Part::End) };
    let row_bytes = frame.info.row_bytes();
    if row.len() as u64 != row_bytes {
        *row = Vec::new();
        *row = budget.filled(row_bytes, 0)?;
    }
    retried(|| frame.rows.read_row(row)).await?;
    blocks.frame(&frame.info, &frame.metadata)?;
    for _ in 1..frame.info.size.height {
        blocks.row(row)?;
        pause().await;
        retried(|| frame.rows.read_row(row)).await?;
    }
    Ok(Part::Frame)
}
