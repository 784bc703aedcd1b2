//! Reading and writing of pHYs (§11.3.4.3): pixels per metre across and down.

use raster::Resolution;

/// The metres in an inch.
const INCH: f64 = 0.0254;

/// The unit "metre"; the only other unit means that the numbers are an aspect ratio.
const METRE: u8 = 1;

/// Reads pHYs's data. Returns `None` for aspect ratios and zeros.
pub(crate) fn parse(data: &[u8]) -> Option<Resolution> {
    let &[x3, x2, x1, x0, y3, y2, y1, y0, METRE] = data else { return None };
    let (x, y) = (u32::from_be_bytes([x3, x2, x1, x0]), u32::from_be_bytes([y3, y2, y1, y0]));
    (x > 0 && y > 0).then(|| Resolution { x: f64::from(x) * INCH, y: f64::from(y) * INCH })
}

/// Returns pHYs's data.
pub(crate) fn to_bytes(resolution: Resolution) -> [u8; 9] {
    // Float casts saturate.
    let [x, y] = [resolution.x, resolution.y].map(|dots| ((dots / INCH).round() as u32).clamp(1, i32::MAX as u32));
    let mut data = [METRE; 9];
    data[..4].copy_from_slice(&x.to_be_bytes());
    data[4..8].copy_from_slice(&y.to_be_bytes());
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_per_inch_are_read_back_and_aspect_ratios_are_ignored() {
        for dots in [72.0, 96.0, 300.0, 2540.0] {
            let read = parse(&to_bytes(Resolution { x: dots, y: 2.0 * dots })).unwrap();
            assert!((read.x - dots).abs() < 0.02 && (read.y - 2.0 * dots).abs() < 0.02, "{read:?}");
        }
        assert!(parse(&[0, 0, 0, 1, 0, 0, 0, 1, 0]).is_none());
        assert!(parse(&[0; 9]).is_none());
    }
}
