//! The print density, `biXPelsPerMeter` and `biYPelsPerMeter`.

use core::ops::Range;

use raster::Resolution;

/// The position of both numbers in a written file.
const FIELDS: Range<usize> = 38..46;

/// The metres in an inch.
const INCH: f64 = 0.0254;

/// Parses the density of the two fields, or returns `None` for 0 and negative numbers.
pub(crate) fn parse([x, y]: [i32; 2]) -> Option<Resolution> {
    (x > 0 && y > 0).then(|| Resolution { x: f64::from(x) * INCH, y: f64::from(y) * INCH })
}

/// Writes the density into the headers of a file.
pub(crate) fn write(head: &mut [u8], resolution: Option<Resolution>) {
    let Some(Resolution { x, y }) = resolution else { return };
    // Float casts saturate.
    let fields = [x, y].map(|dots| ((dots / INCH).round() as i32).max(1).to_le_bytes());
    head[FIELDS].copy_from_slice(fields.as_flattened());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_rounded_to_a_pixel_per_metre() {
        let mut head = vec![0; 54];
        write(&mut head, Some(Resolution { x: 300.0, y: 72.0 }));
        assert_eq!(head[FIELDS], [0x23, 0x2E, 0, 0, 0x13, 0x0B, 0, 0], "11 811 and 2835 in a metre");
        let Resolution { x, y } = parse([11_811, 2835]).unwrap();
        assert!((x - 300.0).abs() < 0.02 && (y - 72.0).abs() < 0.02);
        for unknown in [[0, 2835], [11_811, 0], [-1, 2835], [i32::MIN, i32::MIN]] {
            assert_eq!(parse(unknown), None);
        }
    }
}
