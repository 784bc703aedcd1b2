//! Engine errors as plain values for the page: a code, and the figures that its message shows.

use raster::error::NotAnImage;
use raster::{Error, IoError, Limit, Size};
use serde::Serialize;
use tsify::Tsify;

use crate::border::FormatName;

/// Why a file could not be done. `detail` is for the details view; messages hang on `code`.
#[derive(Tsify, Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    code: FailureCode,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    format: Option<FormatName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    feature: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    bytes: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    need: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    have: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    max: Option<u32>,
}

/// The words of [`raster::Error::code`].
#[derive(Tsify, Serialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum FailureCode {
    Empty,
    NotAnImage,
    OtherKind,
    Malformed,
    Unsupported,
    Memory,
    Implausible,
    NoSize,
    Side,
    Parts,
    Read,
    Write,
    #[default]
    Contradiction,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let plain = Self { code: error.into(), detail: error.to_string(), ..Self::default() };
        match *error {
            Error::NotAnImage(NotAnImage::Other(kind)) => Self { kind: Some(kind), ..plain },
            Error::Malformed { format, .. } => Self { format: Some(format.into()), ..plain },
            Error::Unsupported { format, feature } => {
                Self { format: Some(format.into()), feature: Some(feature), ..plain }
            }
            Error::Limit(limit) => plain.with_limit(limit),
            Error::NotAnImage(_) | Error::Io(_) | Error::Contradiction(_) => plain,
        }
    }
}

impl Failure {
    fn with_limit(self, limit: Limit) -> Self {
        match limit {
            Limit::Memory { need, have } => Self { need: Some(need as f64), have: Some(have as f64), ..self },
            Limit::Implausible { claimed, bytes } => Self { bytes: Some(bytes as f64), ..self.with_size(claimed) },
            Limit::NoSize(size) => self.with_size(size),
            Limit::Side { size, max } => Self { max: Some(max), ..self.with_size(size) },
            Limit::Parts(_) => self,
        }
    }

    fn with_size(self, size: Size) -> Self {
        Self { width: Some(size.width), height: Some(size.height), ..self }
    }
}

impl From<&Error> for FailureCode {
    fn from(error: &Error) -> Self {
        match error {
            Error::NotAnImage(NotAnImage::Empty) => Self::Empty,
            Error::NotAnImage(NotAnImage::Unknown) => Self::NotAnImage,
            Error::NotAnImage(NotAnImage::Other(_)) => Self::OtherKind,
            Error::Malformed { .. } => Self::Malformed,
            Error::Unsupported { .. } => Self::Unsupported,
            Error::Limit(Limit::Memory { .. }) => Self::Memory,
            Error::Limit(Limit::Implausible { .. }) => Self::Implausible,
            Error::Limit(Limit::NoSize(_)) => Self::NoSize,
            Error::Limit(Limit::Side { .. }) => Self::Side,
            Error::Limit(Limit::Parts(_)) => Self::Parts,
            Error::Io(IoError::Read(_)) => Self::Read,
            Error::Io(IoError::Write(_)) => Self::Write,
            Error::Contradiction(_) => Self::Contradiction,
        }
    }
}
