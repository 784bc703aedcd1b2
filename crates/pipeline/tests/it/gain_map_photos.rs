//! Gain maps of real photographs, with the formula of a viewer: a pixel of the result is as bright on an HDR screen as
//! the same place of the source.

use pipeline::{Encoding, Job, Part};
use raster::{Budget, Format, Limits, Notes, Orientation, Rect, Size};
use testkit::{Picture, corpus};

use crate::gain_map::map_of;
use crate::shared::{picture, run};

/// The brightness of the screen's white beside that of the picture's white.
const HEADROOM: f64 = 8.0;

/// Returns the factor of a pixel's light for a sample of an Apple map, whose curve is that of BT.709.
fn gain(sample: f64) -> f64 {
    let value = sample / 255.0;
    let linear = if value < 0.081 { value / 4.5 } else { libm::pow((value + 0.099) / 1.099, 1.0 / 0.45) };
    1.0 + (HEADROOM - 1.0) * linear
}

/// Returns the sample of a map at a place, both from 0 to 1, between its four neighbours.
fn at(map: &Picture, (x, y): (f64, f64)) -> f64 {
    let place = |part: f64, side: u32| {
        let center = (part * f64::from(side) - 0.5).clamp(0.0, f64::from(side - 1));
        let low = center.floor() as u32;
        (low, (low + 1).min(side - 1), center.fract())
    };
    let (left, right, across) = place(x, map.size.width);
    let (top, bottom, down) = place(y, map.size.height);
    let sample = |x, y| f64::from(map.sample(x, y, 0));
    let row = |y| sample(left, y) * (1.0 - across) + sample(right, y) * across;
    row(top) * (1.0 - down) + row(bottom) * down
}

#[test]
fn maps_of_photographs_fit_their_pictures() {
    let Some(photos) = corpus::photos() else { return };
    let mut found = 0;
    for path in photos {
        let bytes = std::fs::read(&path).unwrap();
        let budget = Budget::new(&Limits::default());
        if !codec_jpeg::find_gain_map(&bytes.as_slice(), &budget).is_ok_and(|map| map.is_some()) {
            continue;
        }
        found += 1;
        let info = pipeline::probe(&bytes.as_slice(), &Limits::default(), &Notes::default()).unwrap();
        let upright = info.orientation.turn(info.size);
        let before = picture(&stored_map(&bytes));
        let crop = Rect { x: upright.width / 4, y: upright.height / 8, width: 1600, height: 1200 };
        for (crop, divisor) in [(Rect::whole(upright), 2), (crop, 2), (crop, 5)] {
            let target = Size::new(crop.width / divisor, crop.height / divisor);
            let part = Part { crop, target, ..Part::whole(upright) };
            let job = Job { parts: vec![part], ..Job::whole(upright, Encoding::new(Format::Jpeg).unwrap()) };
            let (out, report) = run(&bytes, &job).unwrap();
            let what = format!("{} to {target}", path.display());
            assert_eq!(report.warnings, [], "{what}");
            let after = picture(&map_of(&out).unwrap().0);
            let ratio = f64::from(before.size.width) / f64::from(info.size.width);
            let side = |side: u32| (f64::from(side) * ratio).round() as u32;
            assert_eq!(after.size, Size::new(side(target.width), side(target.height)), "{what}");
            let error = mean_error(&before, &after, (info.orientation, upright, crop));
            assert!(error <= 0.01, "{what}: {error}");
        }
    }
    assert!(found >= 2, "only {found} photographs have a gain map");
}

/// Returns the map of a photograph, behind which other bytes may follow.
fn stored_map(bytes: &[u8]) -> Vec<u8> {
    let found = codec_jpeg::find_gain_map(&bytes, &Budget::new(&Limits::default())).unwrap().unwrap();
    bytes[found.at as usize..(found.at + found.len) as usize].to_vec()
}

/// Returns the mean difference of the gains of two maps, as a part of the gain: the one of the source, as stored, and
/// the one of a part of the upright picture.
fn mean_error(before: &Picture, after: &Picture, (orientation, upright, crop): (Orientation, Size, Rect)) -> f64 {
    let Size { width, height } = after.size;
    let mut sum = 0.0;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let inside = [(x, width), (y, height)].map(|(at, side)| (f64::from(at) + 0.5) / f64::from(side));
        let across = (f64::from(crop.x) + inside[0] * f64::from(crop.width)) / f64::from(upright.width);
        let down = (f64::from(crop.y) + inside[1] * f64::from(crop.height)) / f64::from(upright.height);
        let stored = match orientation {
            Orientation::Upright => (across, down),
            Orientation::Rotate180 => (1.0 - across, 1.0 - down),
            Orientation::Rotate90 => (down, 1.0 - across),
            Orientation::Rotate270 => (1.0 - down, across),
            other => panic!("no photograph is stored as {other:?}"),
        };
        let (is, was) = (gain(f64::from(after.sample(x, y, 0))), gain(at(before, stored)));
        sum += (is - was).abs() / was;
    }
    sum / f64::from(width * height)
}
