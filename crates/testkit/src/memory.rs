//! The memory that code really allocates, beside the memory that its [`Budget`] counts. Test binaries allocate through
//! the crate `allocation-counter`, which counts the bytes of each thread.

use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, ImageReader, Limits, Notes, Result, RowReader, Wanted};

use crate::corpus;

/// The bytes that code may hold without charging them: the window of one [`raster::Cursor`], one segment of a JPEG
/// (64 KiB), and fields, short lists and messages of errors of together 16 KiB.
pub const SLACK: u64 = WINDOW as u64 + (64 << 10) + (16 << 10);

/// The function with which a codec opens a file.
pub type Open = for<'a> fn(&'a dyn ByteSource, &Budget, &Notes) -> Result<Box<dyn ImageReader + 'a>>;

/// Runs `work` and returns its result with the largest number of bytes that this thread held at once in it. A vector
/// that grows holds its old and its new bytes while it moves.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let mut result = None;
    let counts = allocation_counter::measure(|| result = Some(work()));
    (result.expect("the work has run"), counts.bytes_max)
}

/// Runs `work` with a budget and returns its result.
///
/// # Panics
/// When this thread holds more bytes at once than the budget counts and [`SLACK`] together. The message names `what`.
pub fn counted<T>(what: &str, limits: &Limits, work: impl FnOnce(&Budget) -> T) -> T {
    let budget = Budget::new(limits);
    let (result, held) = measure(|| work(&budget));
    let counted = budget.peak();
    assert!(held <= counted + SLACK, "{what}: {held} bytes are held, {counted} are charged");
    result
}

/// Reads all frames of a file row by row, until `rows` bytes of rows were read. A row that cannot be read ends its
/// frame.
///
/// # Errors
/// Errors of [`Open`], of [`ImageReader::next_frame`] and of the budget.
pub fn read(open: Open, source: &dyn ByteSource, budget: &Budget, mut rows: u64) -> Result<()> {
    let mut reader = open(source, budget, &Notes::default())?;
    while let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
        let row_bytes = frame.info.row_bytes();
        let scope = budget.scope();
        let mut row = scope.filled(row_bytes, 0_u8)?;
        for _ in 0..frame.info.size.height {
            let Some(rest) = rows.checked_sub(row_bytes) else { return Ok(()) };
            rows = rest;
            if frame.rows.read_row(&mut row).is_err() {
                break;
            }
        }
    }
    Ok(())
}

/// Asserts that the budget counts what reading really allocates, for every file of a format in the corpus, valid or
/// not.
///
/// # Panics
/// When this is not so, with the names and the numbers of bytes.
pub fn corpus_is_counted(format: &str, limits: &Limits, open: Open) {
    let Some(rows) = corpus::rows(format) else { return };
    let mut wrong = Vec::new();
    for row in rows {
        let (bytes, budget) = (row.bytes(), Budget::new(limits));
        let (_, held) = measure(|| read(open, &bytes, &budget, u64::MAX));
        let counted = budget.peak();
        if held > counted + SLACK {
            wrong.push(format!("{}: {held} bytes are held, {counted} are charged", row.name));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

#[cfg(test)]
mod tests {
    use core::hint::black_box;

    use super::*;

    #[test]
    fn the_peak_is_the_largest_sum_and_belongs_to_one_thread() {
        let (kept, held) = measure(|| {
            drop(black_box(vec![1_u8; 30_000]));
            std::thread::spawn(|| drop(black_box(vec![1_u8; 1 << 20]))).join().unwrap();
            let kept = black_box(vec![1_u8; 10_000]);
            drop(black_box(vec![1_u8; 15_000]));
            kept
        });
        assert_eq!(kept.len(), 10_000);
        assert!((30_000..1 << 16).contains(&held), "{held}");
    }

    #[test]
    #[should_panic(expected = "a vector: 400000 bytes are held, 100000 are charged")]
    fn bytes_that_are_not_charged_are_found() {
        counted("a vector", &Limits::default(), |budget| {
            budget.charge(100_000).unwrap();
            drop(black_box(vec![1_u8; 400_000]));
        });
    }
}
