//! The common work of all targets: it reads all pictures as the engine does, within small limits. The result must be
//! rows or an error; a panic, a long loop, or memory that the budget does not count is a defect.

use raster::{Budget, ByteSource, FindGainMap, Limits, Notes, Result, RowReader, Size, Wanted, Warning};
use testkit::SplitSource;
use testkit::memory::{self, Open};

/// The memory of a small phone.
pub const LIMITS: Limits = Limits { memory: 64 << 20 };

/// The bytes of rows that are read: enough to reach every path, few enough for thousands of files a second.
const ROWS: u64 = 4 << 20;

/// Reads every frame of a file until its rows become too many. The thread may hold no more than the budget counts and
/// [`memory::SLACK`] together.
pub fn read(open: Open, bytes: &[u8]) {
    // An error is as good as a picture.
    let _ = memory::counted("the file", &LIMITS, |budget| memory::read(open, &bytes, budget, ROWS));
}

/// Reads the gain map of a file as [`read`] reads the file.
pub fn read_gain_map(open: Open, find: FindGainMap, bytes: &[u8]) {
    memory::counted("the gain map", &LIMITS, |budget| {
        let Ok(Some(found)) = find(&bytes, budget) else { return };
        let source: &dyn ByteSource = &bytes;
        let _ = memory::read(open, &found.file(source), budget, ROWS);
    });
}

/// Reads the first frame of a file twice, at full size and at a fraction of it if the reader offers that: from memory,
/// and from a source that returns fewer bytes than requested. Rows, warnings and the kind of error must be the same.
pub fn read_in_parts(open: Open, bytes: &[u8]) {
    for wanted in [Wanted::FULL_SIZE, Wanted { size: Some(Size::new(1, 1)) }] {
        let whole = first_frame(open, &bytes, &wanted);
        let parts = first_frame(open, &SplitSource::new(bytes, bytes.len() as u64), &wanted);
        assert!(whole == parts, "the parts in which the file is read change the result");
    }
}

/// What a reader gives: rows, warnings, and the code of the error that ended it.
type Outcome = (Vec<u8>, Vec<Warning>, Option<&'static str>);

/// Reads the first frame of a file until its rows become too many.
fn first_frame(open: Open, source: &dyn ByteSource, wanted: &Wanted) -> Outcome {
    let (mut rows, notes) = (Vec::new(), Notes::default());
    let result = append_rows(open, source, wanted, (&mut rows, &notes));
    (rows, notes.warnings(), result.err().map(|error| error.code()))
}

fn append_rows(
    open: Open,
    source: &dyn ByteSource,
    wanted: &Wanted,
    (rows, notes): (&mut Vec<u8>, &Notes),
) -> Result<()> {
    let mut reader = open(source, &Budget::new(&LIMITS), notes)?;
    let Some(mut frame) = reader.next_frame(wanted)? else { return Ok(()) };
    let row_bytes = frame.info.row_bytes() as usize;
    for _ in 0..frame.info.size.height {
        let start = rows.len();
        if start + row_bytes > ROWS as usize {
            break;
        }
        rows.resize(start + row_bytes, 0);
        frame.rows.read_row(&mut rows[start..])?;
    }
    Ok(())
}
