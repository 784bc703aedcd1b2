//! What the user allows, and the picture for which metadata are written.

use raster::{Orientation, Size};

raster::choices! {
    /// The metadata that a result may contain. The colour profile always stays, because the colours would be wrong
    /// without it.
    ///
    /// A location is a coordinate, the name of a place, or a maker note of a form that is not known to be free of both.
    /// Captions, comments and keywords are written by people and are not searched for places.
    pub enum Policy: default WithoutLocation {
        /// Everything that is still true, except the location.
        WithoutLocation = "keep-without-location",
        /// Everything that is still true.
        Everything = "keep",
        /// Nothing.
        Nothing = "remove",
    }
}

/// The picture for which metadata are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The size as stored.
    pub size: Size,
    /// The orientation. It is upright unless stored pixels are copied unchanged.
    pub orientation: Orientation,
    /// Whether the colours were converted to sRGB.
    pub is_converted: bool,
}
