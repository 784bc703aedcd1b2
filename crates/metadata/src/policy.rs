//! What the user allows, and the picture that metadata are written for.

use raster::{Orientation, Size};

raster::choices! {
    /// The metadata that a result may carry. The colour profile always stays: without it the colours would be wrong.
    ///
    /// A location is a coordinate, the name of a place, or maker notes of a form that is not known to be free of both.
    /// Captions, comments and keywords, which people write themselves, are not searched for places.
    pub enum Policy: default WithoutLocation {
        /// Everything that is still true, but for the location.
        WithoutLocation = "keep-without-location",
        /// Everything that is still true.
        Everything = "keep",
        /// Nothing.
        Nothing = "remove",
    }
}

/// The picture that metadata are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels as stored.
    pub size: Size,
    /// How it is to be turned; upright but where stored pixels are copied as they are.
    pub orientation: Orientation,
}
