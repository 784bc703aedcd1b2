//! Gain maps, carried by the head of a file: as raw rows, a file of their own.

use raster::{Budget, ImageInfo, ImageReader, Limit, Notes, Result};

use crate::block::PREFIX;
use crate::transfer;

/// The most bytes of a gain map that is carried.
const LONGEST: u64 = 16 << 20;

/// The bytes of a file with one picture besides its rows and metadata, at most.
const SHORT_BLOCKS: u64 = 1024;

/// Returns the file of a gain map as raw rows, or `None` when it is damaged. `reader` reads it and adds warnings to
/// `notes`.
///
/// # Errors
/// Errors of the reader; `Limit` for maps that the head of a file cannot hold, or for which the budget is too small.
pub async fn gain_map_rows(reader: &mut dyn ImageReader, budget: &Budget, notes: &Notes) -> Result<Option<Vec<u8>>> {
    let ImageInfo { size, row_format, metadata, .. } = reader.info();
    let row = row_format.row_bytes(size.width) + PREFIX as u64;
    let rows = row * u64::from(size.height);
    if rows > LONGEST {
        return Err(Limit::Memory { need: rows, have: LONGEST }.into());
    }
    let mut file = budget.reserved(rows + metadata.byte_len() + SHORT_BLOCKS)?;
    transfer(reader, None, &mut file, budget, notes).await?;
    Ok(notes.warnings().is_empty().then_some(file))
}
