//! Errors, sorted by the remedy.
//!
//! A codec keeps its exact causes private: callers see that the file is malformed, the offset, and one sentence.

use core::fmt;

use crate::{Format, Size};

/// The result of every fallible call in the engine.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Returns `None` for the errors of a part of a file that a result can do without, such as a gain map.
///
/// # Errors
/// Errors that are not of the file: `Io`, `Contradiction`.
pub fn unless_damaged<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::Malformed { .. } | Error::Unsupported { .. } | Error::Limit(_)) => Ok(None),
        result => result.map(Some),
    }
}

/// The private reason inside [`Error::Malformed`].
pub type Cause = Box<dyn std::error::Error + Send + Sync + 'static>;

crate::choices! {
    /// The kind of a mistake in an XML document.
    pub enum Mistake {
        /// An element is not closed, or another one is closed.
        Element = "element",
        /// An attribute occurs twice or contains a character that it cannot.
        Attribute = "attribute",
        /// An ampersand begins no entity, or an unknown one.
        Entity = "entity",
        /// A prefix of a name is not declared.
        Prefix = "prefix",
        /// The document has no element, or its first one is of another vocabulary.
        Root = "root",
        /// A character cannot be where it is.
        Character = "character",
    }
}

/// The cause of [`Error::Malformed`] for documents, whose readers know the line of the mistake.
#[derive(Debug)]
pub struct SyntaxError {
    /// The line, counted from 1.
    pub line: u32,
    /// The kind of the mistake.
    pub mistake: Mistake,
    /// The mistake in one sentence.
    pub detail: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.detail)
    }
}

impl std::error::Error for SyntaxError {}

/// An error, sorted by the remedy.
#[derive(Debug)]
pub enum Error {
    /// The file contains no image; the remedy is another file.
    NotAnImage(NotAnImage),
    /// The file is damaged; the remedy is a better copy of it.
    Malformed {
        /// The format that the file claims to be.
        format: Format,
        /// The byte offset near which reading failed.
        offset: u64,
        /// The cause, in one sentence.
        cause: Cause,
    },
    /// The file is valid, but the engine cannot read or write it yet.
    Unsupported {
        /// The format.
        format: Format,
        /// The missing feature, in a few words; empty when it is the whole format.
        feature: &'static str,
    },
    /// A limit was exceeded; the remedy is a smaller target, a larger machine or a larger budget.
    Limit(Limit),
    /// The browser or the disk failed.
    Io(IoError),
    /// A defect of the engine: the output's header does not match the promise, or a job contradicts itself.
    Contradiction(&'static str),
}

/// The kind of a file without an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAnImage {
    /// An empty file.
    Empty,
    /// A file of an unknown kind.
    Unknown,
    /// A recognised file of another kind, such as `PDF` or `video`.
    Other(&'static str),
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The working set exceeds the budget, or the allocator refused; both in bytes.
    Memory {
        /// The bytes that the whole job would need, as far as they were counted.
        need: u64,
        /// The bytes that the job may use.
        have: u64,
    },
    /// The header claims more pixels than the file's bytes can contain.
    Implausible {
        /// The size that the header claims.
        claimed: Size,
        /// The number of bytes in the file.
        bytes: u64,
    },
    /// A picture with an empty side.
    NoSize(Size),
    /// A side is longer than the target format or the engine supports.
    Side {
        /// The size in question.
        size: Size,
        /// The longest side allowed, in pixels.
        max: u32,
    },
    /// More parts (chunks, scans, frames) than any valid file has.
    Parts(&'static str),
}

/// A failure of a source or a sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IoError {
    /// Reading failed; browsers report it when a file was moved or changed after it was added.
    Read(String),
    /// Writing failed.
    Write(String),
    /// The bytes have not arrived. The caller pauses and repeats the same call; see [`crate::steps`].
    NotYet,
}

impl Error {
    /// Returns a stable kebab-case word for each kind of error, on which messages and exit codes depend.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAnImage(NotAnImage::Empty) => "empty",
            Self::NotAnImage(NotAnImage::Unknown) => "not-an-image",
            Self::NotAnImage(NotAnImage::Other(_)) => "other-kind",
            Self::Malformed { .. } => "malformed",
            Self::Unsupported { .. } => "unsupported",
            Self::Limit(Limit::Memory { .. }) => "memory",
            Self::Limit(Limit::Implausible { .. }) => "implausible",
            Self::Limit(Limit::NoSize(_)) => "no-size",
            Self::Limit(Limit::Side { .. }) => "side",
            Self::Limit(Limit::Parts(_)) => "parts",
            Self::Io(IoError::Read(_)) => "read",
            Self::Io(IoError::Write(_)) => "write",
            Self::Io(IoError::NotYet) => "not-yet",
            Self::Contradiction(_) => "contradiction",
        }
    }

    /// Creates the error of a malformed file with its cause.
    pub fn malformed(format: Format, offset: u64, cause: impl Into<Cause>) -> Self {
        Self::Malformed { format, offset, cause: cause.into() }
    }

    /// Returns the mistake of a malformed document; `None` for other errors.
    #[must_use]
    pub fn syntax(&self) -> Option<&SyntaxError> {
        match self {
            Self::Malformed { cause, .. } => cause.downcast_ref(),
            _ => None,
        }
    }
}

impl From<Limit> for Error {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<IoError> for Error {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnImage(NotAnImage::Empty) => f.write_str("the file is empty"),
            Self::NotAnImage(NotAnImage::Unknown) => f.write_str("not an image"),
            Self::NotAnImage(NotAnImage::Other(kind)) => write!(f, "not an image but {kind}"),
            Self::Malformed { format, offset, cause } => write!(f, "damaged {format} near byte {offset}: {cause}"),
            Self::Unsupported { format, feature: "" } => write!(f, "{format} is not supported yet"),
            Self::Unsupported { format, feature } => write!(f, "{format}: {feature} is not supported"),
            Self::Limit(limit) => limit.fmt(f),
            Self::Io(IoError::Read(why)) => write!(f, "cannot read: {why}"),
            Self::Io(IoError::Write(why)) => write!(f, "cannot write: {why}"),
            Self::Io(IoError::NotYet) => f.write_str("the bytes are still under way"),
            Self::Contradiction(what) => write!(f, "internal contradiction: {what}"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { need, have } => write!(f, "needs about {need} bytes of memory, {have} are allowed"),
            Self::Implausible { claimed, bytes } => write!(f, "claims {claimed} pixels in {bytes} bytes"),
            Self::NoSize(size) => write!(f, "the picture has no size: {size}"),
            Self::Side { size, max } => write!(f, "{size} is too large: at most {max} pixels a side"),
            Self::Parts(what) => write!(f, "too many {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Malformed { cause, .. } => Some(&**cause),
            _ => None,
        }
    }
}
