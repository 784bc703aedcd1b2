//! The common work of all targets: it reads all pictures as the engine does, within small limits. The result must be
//! rows or an error; a panic, a long loop, or memory that the budget does not count is a defect.

use raster::Limits;
use testkit::memory::{self, Open};

/// The memory of a small phone.
const LIMITS: Limits = Limits { memory: 64 << 20 };

/// The bytes of rows that are read: enough to reach every path, few enough for thousands of files a second.
const ROWS: u64 = 4 << 20;

/// Reads every frame of a file until its rows become too many. The thread may hold no more than the budget counts and
/// [`memory::SLACK`] together.
pub fn read(open: Open, bytes: &[u8]) {
    // An error is as good as a picture.
    let _ = memory::counted("the file", &LIMITS, |budget| memory::read(open, &bytes, budget, ROWS));
}
