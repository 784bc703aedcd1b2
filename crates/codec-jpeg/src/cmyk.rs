//! CMYK and YCCK samples to RGB, without a profile: red is what cyan and black let through.

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

/// Converts a row of four samples a pixel to a row of three.
pub(crate) fn to_rgb(four: &[u8], ink: Ink, rgb: &mut [u8]) {
    let (fours, _) = four.as_chunks::<4>();
    let (threes, _) = rgb.as_chunks_mut::<3>();
    for (&[a, b, c, k], out) in fours.iter().zip(threes) {
        let (light, k) = match ink {
            Ink::Plain => ([255 - a, 255 - b, 255 - c], 255 - k),
            Ink::Inverted => ([a, b, c], k),
            Ink::Ycck => (ycc_to_rgb(a, b, c).map(|v| 255 - v), k),
        };
        *out = light.map(|v| ((u32::from(v) * u32::from(k) * 2 + 255) / 510) as u8);
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
    fn inks_mix_as_light_lets_through() {
        let table = [
            (Ink::Plain, [0, 0, 0, 0], [255, 255, 255]),
            (Ink::Plain, [255, 0, 0, 0], [0, 255, 255]),
            (Ink::Plain, [0, 0, 0, 255], [0, 0, 0]),
            (Ink::Inverted, [255, 255, 255, 255], [255, 255, 255]),
            (Ink::Inverted, [200, 100, 50, 128], [100, 50, 25]),
            // Full white is YCbCr of black, with no black ink.
            (Ink::Ycck, [0, 128, 128, 255], [255, 255, 255]),
            (Ink::Ycck, [76, 85, 255, 255], [1, 255, 255]),
        ];
        for (ink, four, want) in table {
            let mut rgb = [0; 3];
            to_rgb(&four, ink, &mut rgb);
            assert_eq!(rgb, want, "{ink:?} {four:?}");
        }
    }

    /// The division is djpeg's: c × k / 255 rounded to nearest, halves up.
    #[test]
    fn products_are_rounded_to_nearest() {
        for v in 0..=255_u8 {
            for k in 0..=255_u8 {
                let mut rgb = [0; 3];
                to_rgb(&[v, v, v, k], Ink::Inverted, &mut rgb);
                let exact = (f64::from(v) * f64::from(k) / 255.0 + 0.5).floor() as u8;
                assert_eq!(rgb, [exact; 3]);
            }
        }
    }
}
