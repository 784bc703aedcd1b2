//! Exit codes, and a sentence for each failure.

use std::io;
use std::path::Path;

use raster::{Error, NotAnImage};

/// The exit code of a call with wrong arguments.
pub(crate) const WRONG_CALL: u8 = 2;

/// The exit code of a file or folder without a readable image.
pub(crate) const NO_IMAGE: u8 = 3;

/// An exit code and the reason for it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: u8,
    pub(crate) reason: String,
}

impl Failure {
    pub(crate) fn wrong_call(reason: impl Into<String>) -> Self {
        Self { code: WRONG_CALL, reason: reason.into() }
    }

    /// Returns the failure with the file's name in front, unless the reason contains it already.
    pub(crate) fn of(self, file: &Path) -> Self {
        let name = file.display().to_string();
        let reason = if self.reason.contains(&name) { self.reason } else { format!("{name}: {}", self.reason) };
        Self { code: self.code, reason }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Malformed { .. } | Error::NotAnImage(NotAnImage::Empty | NotAnImage::Unknown) => NO_IMAGE,
            Error::Unsupported { .. } | Error::NotAnImage(NotAnImage::Other(_)) => 4,
            Error::Limit(_) => 5,
            Error::Io(_) => 6,
            Error::Contradiction(_) => 70, // EX_SOFTWARE of sysexits.h: a defect of the program
        };
        Self { code, reason: error.to_string() }
    }
}

/// Returns `path: why`, for errors of the operating system.
pub(crate) fn about(path: &Path, why: &io::Error) -> String {
    format!("{}: {why}", path.display())
}
