//! The common work of all targets: it reads all pictures as the engine does, within small limits. The result must be
//! rows or an error; a panic, a long loop or memory beyond the budget is a defect.

use raster::{Budget, ByteSource, ImageReader, Limits, Notes, Result, RowReader, Wanted};

/// The memory of a small phone.
const MEMORY: u64 = 64 << 20;

/// The bytes of rows that are read: enough to reach every path, few enough for thousands of files a second.
const ROWS: u64 = 4 << 20;

/// The function with which a codec opens a file.
pub type Open = for<'a> fn(&'a dyn ByteSource, &Budget, &Notes) -> Result<Box<dyn ImageReader + 'a>>;

/// Reads every frame of a file until its rows become too many.
pub fn read(open: Open, bytes: &[u8]) {
    let budget = Budget::new(&Limits { memory: MEMORY });
    let Ok(mut reader) = open(&bytes, &budget, &Notes::default()) else { return };
    assert!(!reader.info().size.is_empty());
    let mut left = ROWS;
    while let Ok(Some(mut frame)) = reader.next_frame(&Wanted::FULL_SIZE) {
        let row_bytes = frame.info.row_bytes();
        let Ok(mut row) = budget.scope().filled(row_bytes, 0_u8) else { return };
        for _ in 0..frame.info.size.height {
            let Some(rest) = left.checked_sub(row_bytes) else { return };
            left = rest;
            if frame.rows.read_row(&mut row).is_err() {
                break;
            }
        }
    }
    assert!(budget.peak() <= MEMORY);
}
