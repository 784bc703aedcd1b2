//! Engine errors as plain values for the page: a code, and the figures of its message.

use raster::{Error, Format, IoError, Limit, Mistake, NotAnImage, Size, SyntaxError};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::names;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** The reason why a file could not be done. Messages hang on `code`, never on `detail`. */
export type Failure = FailureReason & {
  /** One English sentence from the place where it happened. */
  detail: string;
};";

/// The reason of a failure, with a sentence for the details view.
#[derive(Serialize)]
pub struct Failure {
    detail: String,
    #[serde(flatten)]
    reason: FailureReason,
}

/// The kinds of [`raster::Error`]; each tag is the word of [`raster::Error::code`].
#[derive(Tsify, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum FailureReason {
    Empty,
    NotAnImage,
    /// A recognised file of another kind: `pdf`, `video` …
    OtherKind {
        kind: &'static str,
    },
    Malformed {
        #[serde(with = "names")]
        format: Format,
        /// For documents such as SVG: the mistake and its line.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tsify(optional)]
        syntax: Option<SyntaxValue>,
    },
    /// A feature that the engine does not support; empty when it does not support the whole format.
    Unsupported {
        #[serde(with = "names")]
        format: Format,
        feature: &'static str,
    },
    /// The bytes needed and the bytes allowed.
    Memory {
        need: u64,
        have: u64,
    },
    /// A header that claims more pixels than the file's bytes can contain.
    Implausible {
        width: u32,
        height: u32,
        bytes: u64,
    },
    NoSize {
        width: u32,
        height: u32,
    },
    /// A side longer than `max` pixels.
    Side {
        width: u32,
        height: u32,
        max: u32,
    },
    Parts,
    /// A file that cannot be read any more, because it was moved or changed after it was added.
    Read,
    Write,
    /// A defect of the engine: the written header does not match the promise, or the job contradicts itself.
    Contradiction,
}

/// The mistake of a malformed document: [`raster::SyntaxError`].
#[derive(Tsify, Serialize)]
pub struct SyntaxValue {
    /// Counted from 1.
    line: u32,
    #[serde(with = "names")]
    mistake: Mistake,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { detail: error.to_string(), reason: error.into() }
    }
}

impl From<&Error> for FailureReason {
    fn from(error: &Error) -> Self {
        match *error {
            Error::NotAnImage(NotAnImage::Empty) => Self::Empty,
            Error::NotAnImage(NotAnImage::Unknown) => Self::NotAnImage,
            Error::NotAnImage(NotAnImage::Other(kind)) => Self::OtherKind { kind },
            Error::Malformed { format, .. } => {
                let value = |&SyntaxError { line, mistake, .. }: &SyntaxError| SyntaxValue { line, mistake };
                Self::Malformed { format, syntax: error.syntax().map(value) }
            }
            Error::Unsupported { format, feature } => Self::Unsupported { format, feature },
            Error::Limit(limit) => limit.into(),
            // Jobs wait for bytes that have not arrived, so `NotYet` does not end a job.
            Error::Io(IoError::Read(_) | IoError::NotYet) => Self::Read,
            Error::Io(IoError::Write(_)) => Self::Write,
            Error::Contradiction(_) => Self::Contradiction,
        }
    }
}

impl From<Limit> for FailureReason {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Memory { need, have } => Self::Memory { need, have },
            Limit::Implausible { claimed: Size { width, height }, bytes } => Self::Implausible { width, height, bytes },
            Limit::NoSize(Size { width, height }) => Self::NoSize { width, height },
            Limit::Side { size: Size { width, height }, max } => Self::Side { width, height, max },
            Limit::Parts(_) => Self::Parts,
        }
    }
}
