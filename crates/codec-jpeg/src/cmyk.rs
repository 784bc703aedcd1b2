//! CMYK and YCCK samples to inks as the engine knows them: 255 is full.

/// How the four samples of a pixel are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// 255 is full ink.
    Plain,
    /// 255 is no ink, as Adobe writes it.
    Inverted,
    /// Adobe's YCCK: the first three are the YCbCr of the (uninverted) complement of CMY; black is inverted.
    Ycck,
}

/// Converts a row of four samples a pixel to a row of four inks.
pub(crate) fn unify(stored: &[u8], ink: Ink, inks: &mut [u8]) {
    match ink {
        Ink::Plain => inks.copy_from_slice(stored),
        Ink::Inverted => stored.iter().zip(inks).for_each(|(&sample, ink)| *ink = 255 - sample),
        Ink::Ycck => {
            for (&[y, cb, cr, k], ink) in stored.as_chunks::<4>().0.iter().zip(inks.as_chunks_mut::<4>().0) {
                let [c, m, y] = ycc_to_rgb(y, cb, cr);
                *ink = [c, m, y, 255 - k];
            }
        }
    }
}

/// JFIF's YCbCr to RGB in 16-bit fixed point, rounded half up, clipped.
fn ycc_to_rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y) << 16, i32::from(cb) - 128, i32::from(cr) - 128);
    let red = y + 91_881 * cr; // 1.402
    let green = y - 22_554 * cb - 46_802 * cr; // 0.344 136, 0.714 136
    let blue = y + 116_130 * cb; // 1.772
    [red, green, blue].map(|v| ((v + 0x8000) >> 16).clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_inks_says_the_same() {
        let table = [
            (Ink::Plain, [255, 0, 7, 9], [255, 0, 7, 9]),
            (Ink::Inverted, [255, 0, 248, 246], [0, 255, 7, 9]),
            // White is YCbCr of black, with no black ink.
            (Ink::Ycck, [0, 128, 128, 255], [0, 0, 0, 0]),
            (Ink::Ycck, [76, 85, 255, 255], [254, 0, 0, 0]),
        ];
        for (ink, stored, want) in table {
            let mut inks = [0; 4];
            unify(&stored, ink, &mut inks);
            assert_eq!(inks, want, "{ink:?} {stored:?}");
        }
    }
}
