//! Conversion of CMYK and YCCK samples to the engine's inks: 255 is full ink.

use simd::rgb_of_ycbcr;

/// The meaning of the four samples of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// 255 is full ink.
    Plain,
    /// 255 is no ink, as Adobe writes it.
    Inverted,
    /// Adobe's YCCK: the first three samples are the YCbCr of the (uninverted) complement of CMY; black is inverted.
    Ycck,
}

/// Converts a row of four samples a pixel to inks, in place.
pub(crate) fn unify(row: &mut [u8], ink: Ink) {
    match ink {
        Ink::Plain => {}
        Ink::Inverted => row.iter_mut().for_each(|sample| *sample = 255 - *sample),
        Ink::Ycck => {
            for pixel in row.as_chunks_mut::<4>().0 {
                let [y, cb, cr, k] = *pixel;
                let [c, m, y] = rgb_of_ycbcr([y, cb, cr]);
                *pixel = [c, m, y, 255 - k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_inverted_and_ycck_samples_become_the_same_inks() {
        let table = [
            (Ink::Plain, [255, 0, 7, 9], [255, 0, 7, 9]),
            (Ink::Inverted, [255, 0, 248, 246], [0, 255, 7, 9]),
            // The YCbCr of black, with no black ink, is white.
            (Ink::Ycck, [0, 128, 128, 255], [0, 0, 0, 0]),
            (Ink::Ycck, [76, 85, 255, 255], [254, 0, 0, 0]),
        ];
        for (ink, stored, want) in table {
            let mut inks = stored;
            unify(&mut inks, ink);
            assert_eq!(inks, want, "{ink:?} {stored:?}");
        }
    }
}
