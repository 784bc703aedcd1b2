//! What the user should know about a result that was reached all the same.

/// Something worth a note on the row; never a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The data ends or breaks early; the missing rows are blank.
    Truncated {
        /// Rows that hold picture.
        rows: u32,
        /// Rows the header promises.
        of: u32,
    },
    /// An embedded colour profile cannot be used; sRGB is assumed.
    BrokenProfile,
    /// The target format cannot hold the source's colour profile.
    ProfileDropped,
    /// Only the first of several frames is used.
    FirstFrameOnly {
        /// How many there are.
        frames: u32,
    },
    /// Frames that are damaged or missing were left out.
    FramesSkipped {
        /// How many.
        skipped: u32,
        /// Of how many.
        of: u32,
    },
    /// The target holds fewer bits per sample than the source.
    DepthReduced,
    /// Transparent areas were laid on the background colour.
    Flattened,
    /// The source's gain map, which only HDR screens use, was left out.
    GainMapDropped,
    /// A part of the file that the picture does not need is damaged and was left out; which, in a word.
    Skipped(&'static str),
}

impl Warning {
    /// A stable kebab-case word for each kind of warning.
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
        }
    }
}
