//! Warnings about a result that was reached nevertheless.

use crate::Size;

/// A warning for the user; never a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The data end early or are damaged; the missing rows are blank.
    Truncated {
        /// The number of rows that contain image data.
        rows: u32,
        /// The number of rows that the header states.
        of: u32,
    },
    /// An embedded colour profile cannot be used; sRGB is assumed.
    BrokenProfile,
    /// The target format does not support the source's colour profile.
    ProfileDropped,
    /// Only the first of several frames is used.
    FirstFrameOnly {
        /// The number of frames.
        frames: u32,
    },
    /// Frames that are damaged or missing were left out.
    FramesSkipped {
        /// The number of frames left out.
        skipped: u32,
        /// The number of all frames.
        of: u32,
    },
    /// The target has fewer bits per sample than the source.
    DepthReduced,
    /// Transparent areas were composited over the background colour.
    Flattened,
    /// The source's gain map, which only HDR screens use, was left out.
    GainMapDropped,
    /// A part that the picture does not need is damaged and was left out; the word names the part.
    Skipped(&'static str),
    /// A drawing does not determine its size; this one was assumed.
    SizeAssumed {
        /// The size.
        size: Size,
    },
    /// Parts of a drawing were left out: scripts, links to other files, pictures and characters that cannot be drawn.
    PartsLeftOut,
    /// A drawing asks for a font that is not there; another one was used.
    FontMissing {
        /// Its name.
        font: String,
    },
}

impl Warning {
    /// Returns a stable kebab-case word for each kind of warning.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "truncated",
            Self::BrokenProfile => "broken-profile",
            Self::ProfileDropped => "profile-dropped",
            Self::FirstFrameOnly { .. } => "first-frame-only",
            Self::FramesSkipped { .. } => "frames-skipped",
            Self::DepthReduced => "depth-reduced",
            Self::Flattened => "flattened",
            Self::GainMapDropped => "gain-map-dropped",
            Self::Skipped(_) => "skipped",
            Self::SizeAssumed { .. } => "size-assumed",
            Self::PartsLeftOut => "parts-left-out",
            Self::FontMissing { .. } => "font-missing",
        }
    }
}
