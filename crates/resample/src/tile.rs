//! The data between the horizontal and the vertical pass: a strip of rows, cut into tiles that fit into the processor's
//! first cache. Samples lie without gaps, in the channels of the picture.

use raster::{Channels, Pixel};

use crate::strip::STRIP;

/// Pixels in a row of a tile.
pub(crate) const TILE: usize = 64;

/// One row of a tile, with room for four channels.
pub(crate) type TileRow = [[f32; 4]; TILE];

/// A part of a strip. The length of its rows is known at compile time, therefore one address register reaches all of
/// them.
pub(crate) type Tile = [TileRow; STRIP];

/// A tile of zeros.
pub(crate) const EMPTY: Tile = [[[0.0; 4]; TILE]; STRIP];

/// Returns the number of tiles in rows of `width` pixels.
pub(crate) const fn tiles(width: usize) -> usize {
    width.div_ceil(TILE)
}

/// Returns the number of vectors that the samples of a whole tile fill in each row.
pub(crate) const fn vectors(channels: Channels) -> usize {
    TILE * channels.count() / 4
}

/// Converts samples to as many pixels as `into` has.
pub(crate) fn unpack(samples: &[[f32; 4]], channels: Channels, into: &mut [Pixel]) {
    match channels {
        Channels::Gray => each(samples, into, |[gray]| [gray, gray, gray, 1.0]),
        Channels::GrayAlpha => each(samples, into, |[gray, alpha]| [gray, gray, gray, alpha]),
        Channels::Rgb => each(samples, into, |[red, green, blue]| [red, green, blue, 1.0]),
        Channels::Rgba => each(samples, into, |pixel| pixel),
    }
}

fn each<const N: usize>(samples: &[[f32; 4]], into: &mut [Pixel], pixel: impl Fn([f32; N]) -> [f32; 4]) {
    for (&samples, into) in samples.as_flattened().as_chunks().0.iter().zip(into) {
        *into = Pixel(pixel(samples));
    }
}
