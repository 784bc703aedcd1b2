//! Fast decoding: a result is the exact one but for details, at the same place.

use pipeline::{Decoding, Job, Part};
use raster::{Format, Orientation, PixelFormat, Rect, Size};
use testkit::{Picture, generate};

use crate::shared::{file, picture, run, with_part};

/// The sides are no multiples of 8, so that the reduced picture is larger than the picture.
const FROM: Size = Size::new(1003, 757);

/// Returns smooth waves of grey in both directions, on which a shift shows.
#[expect(clippy::disallowed_methods, reason = "the picture may differ by a level between machines")]
fn waves() -> Picture {
    let sample = |x: u32, y: u32| {
        let wave = |at: u32, length: f64| (f64::from(at) * core::f64::consts::TAU / length).sin();
        (128.0 + 55.0 * wave(x, 173.0) + 55.0 * wave(y, 141.0)).round() as u8
    };
    let rows = (0..FROM.height).flat_map(|y| (0..FROM.width).map(move |x| sample(x, y))).collect();
    Picture { size: FROM, pixels: PixelFormat::GRAY8, rows }
}

/// Returns the exact and the fast result of a part.
fn both(jpeg: &[u8], part: Part) -> [Picture; 2] {
    [Decoding::Exact, Decoding::Fast].map(|decoding| {
        let job = Job { decoding, ..with_part(FROM, Format::Png, |_| part) };
        picture(&run(jpeg, &job).unwrap().0)
    })
}

/// Returns by how many pixels a picture is shifted to the right and downwards (least squares over the slopes).
fn shift(from: &Picture, to: &Picture) -> [f64; 2] {
    let Size { width, height } = from.size;
    let at = |picture: &Picture, x: u32, y: u32| f64::from(picture.rows[(y * width + x) as usize]);
    let mut sums = [[0.0; 2]; 2];
    for (x, y) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y))) {
        let difference = at(to, x, y) - at(from, x, y);
        let slopes = [at(from, x + 1, y) - at(from, x - 1, y), at(from, x, y + 1) - at(from, x, y - 1)];
        for (sums, slope) in sums.iter_mut().zip(slopes.map(|slope| slope / 2.0)) {
            *sums = [sums[0] - difference * slope, sums[1] + slope * slope];
        }
    }
    sums.map(|[products, squares]| products / squares)
}

#[test]
fn fast_results_lie_where_exact_results_lie() {
    let jpeg = file(&waves(), Format::Jpeg);
    let whole = Rect::whole(FROM);
    let crop = Rect { x: 13, y: 6, width: 901, height: 699 };
    let corner = Rect { x: 502, y: 379, width: 501, height: 378 };
    // Targets for an eighth, a quarter and a half, and with different factors across and down.
    for (crop, target) in [
        (whole, Size::new(60, 45)),
        (whole, Size::new(120, 91)),
        (whole, Size::new(240, 181)),
        (whole, Size::new(240, 30)),
        (crop, Size::new(53, 41)),
        (crop, Size::new(101, 83)),
        (corner, Size::new(29, 23)),
    ] {
        let [exact, fast] = both(&jpeg, Part { crop, target, ..Part::whole(FROM) });
        assert_ne!(exact, fast, "{target}: decoded at a smaller size");
        let shift = shift(&exact, &fast);
        assert!(shift.iter().all(|shift| shift.abs() < 0.02), "{crop:?} to {target}: shifted by {shift:?}");
        let worst = exact.rows.iter().zip(&fast.rows).map(|(&a, &b)| a.abs_diff(b)).max();
        assert!(worst <= Some(4), "{crop:?} to {target}: {worst:?} levels, edges included");
    }
}

#[test]
fn a_turned_picture_is_decoded_fast_too() {
    let part = Part { target: Size::new(45, 60), crop: Rect::whole(FROM.swapped()), ..Part::whole(FROM.swapped()) };
    let mut turned = file(&waves(), Format::Jpeg);
    let mut exif = b"\xFF\xE1\0\x22Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([Orientation::Rotate90.exif(), 0, 0, 0, 0, 0, 0, 0]);
    turned.splice(2..2, exif);
    let [exact, fast] = both(&turned, part);
    assert_eq!(exact.size, part.target);
    assert_ne!(exact, fast);
    assert!(shift(&exact, &fast).iter().all(|shift| shift.abs() < 0.02));
}

#[test]
fn exact_results_are_kept_where_too_few_pixels_would_be_decoded() {
    let jpeg = file(&generate::noise(FROM, PixelFormat::GRAY8, 1), Format::Jpeg);
    // At a half there would be 502 columns, and 602 are needed.
    let [exact, fast] = both(&jpeg, Part { target: Size::new(301, 200), ..Part::whole(FROM) });
    assert_eq!(exact, fast);
}
