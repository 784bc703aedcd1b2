//! What goes from the pass along the rows to the pass down the columns: a strip of rows, a piece of their length at a
//! time, so that it stays in the processor's nearest memory. Samples lie without gaps, as many to a pixel as the
//! picture has channels.

use raster::rows::STRIP;
use raster::{Channels, Pixel};

/// Pixels of a row in a piece.
pub(crate) const PIECE: usize = 64;

/// One row of a piece, with room for four channels.
pub(crate) type Line = [[f32; 4]; PIECE];

/// A piece of a strip. Lines of a length that the compiler knows are all reached from one address.
pub(crate) type Piece = [Line; STRIP];

/// A piece of nothing.
pub(crate) const BLANK: Piece = [[[0.0; 4]; PIECE]; STRIP];

/// Pieces in rows of `width` pixels.
pub(crate) const fn pieces(width: usize) -> usize {
    width.div_ceil(PIECE)
}

/// Vectors that the samples of a whole piece fill in each row.
pub(crate) const fn vectors(channels: Channels) -> usize {
    PIECE * channels.count() / 4
}

/// Samples as pixels, as many as there are in `into`.
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
