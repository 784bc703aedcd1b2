//! What goes from the pass along the rows to the pass down the columns: a strip of rows, cut into tiles that fit in the
//! processor's first cache. Samples lie without gaps, as many to a pixel as the picture has channels.

use raster::{Channels, Pixel};

use crate::strip::STRIP;

/// Pixels in a row of a tile.
pub(crate) const TILE: usize = 64;

/// One row of a tile, with room for four channels.
pub(crate) type TileRow = [[f32; 4]; TILE];

/// A part of a strip. Its rows have a length that the compiler knows, so that one address reaches them all.
pub(crate) type Tile = [TileRow; STRIP];

/// A tile of zeros.
pub(crate) const EMPTY: Tile = [[[0.0; 4]; TILE]; STRIP];

/// Tiles in rows of `width` pixels.
pub(crate) const fn tiles(width: usize) -> usize {
    width.div_ceil(TILE)
}

/// Vectors that the samples of a whole tile fill in each row.
pub(crate) const fn vectors(channels: Channels) -> usize {
    TILE * channels.count() / 4
}

/// Turns samples into pixels, as many as there are in `into`.
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
