//! The changes of a copy whose pixels are not encoded again.

use pipeline::{Changes, Policy};
use raster::Orientation;
use serde::Deserialize;
use tsify::Tsify;

use crate::names;

/// The changes of a copy: [`pipeline::Changes`].
#[derive(Tsify, Deserialize)]
pub struct CopyChanges {
    /// The metadata that the copy may contain.
    #[serde(with = "names")]
    policy: Policy,
    /// The density that the copy states, in pixels per inch; that of the source when not given.
    #[serde(default)]
    #[tsify(optional)]
    density: Option<f64>,
    /// The turn, as in [`PartValue`](crate::PartValue). Only JPEGs are turned.
    #[serde(default)]
    #[tsify(optional)]
    turn: u16,
}

impl From<CopyChanges> for Changes {
    fn from(CopyChanges { policy, density, turn }: CopyChanges) -> Self {
        Self { policy, density, turn: Orientation::from_exif(turn).unwrap_or_default() }
    }
}
