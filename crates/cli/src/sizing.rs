//! Conversion of the command line's sizes to exact numbers. The page has its own implementation in TypeScript; both are
//! tested with the rules and rows of `tests/fixtures/sizing.json`.
//!
//! Sides round half up and are at least 1. Crops and pictures on a canvas are centred; an odd pixel goes to the right
//! and to the bottom. Without enlargement, `contain` and `pad` keep the picture's size, `cover` keeps the largest piece
//! of the box's shape at its size, and `stretch` limits each side separately.

use clap::ValueEnum;
use pipeline::{Canvas, Part};
use raster::{Rect, Size};

/// How a picture fits into a box of another shape; the words and meanings of CSS `object-fit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fit {
    /// The whole picture inside of the box
    #[default]
    Contain,
    /// The box filled, what stands over cut off
    Cover,
    /// The box filled, the picture's shape changed
    Stretch,
    /// The whole picture on a white canvas of the box's size
    Pad,
}

/// The requested size.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish {
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) percent: Option<f64>,
    pub(crate) fit: Fit,
    pub(crate) enlarge: bool,
}

const WHITE: [u8; 4] = [255; 4];

impl Wish {
    /// Whether the picture keeps its size.
    pub(crate) const fn is_empty(&self) -> bool {
        self.width.is_none() && self.height.is_none() && self.percent.is_none()
    }
}

/// Returns the part of a job that gives a picture of that upright size the requested size.
pub(crate) fn place(upright: Size, wish: &Wish) -> Result<Part, String> {
    let box_size = match (wish.width, wish.height, wish.percent) {
        (_, _, Some(percent)) => return Ok(whole(upright, by_percent(upright, percent, wish.enlarge)?)),
        (None, None, None) => return Ok(whole(upright, upright)),
        (Some(width), Some(height), _) => Size::new(width, height),
        (width, height, _) => return Ok(whole(upright, contain(upright, width, height, wish.enlarge))),
    };
    let contained = contain(upright, wish.width, wish.height, wish.enlarge);
    Ok(match wish.fit {
        Fit::Contain => whole(upright, contained),
        Fit::Stretch if wish.enlarge => whole(upright, box_size),
        Fit::Stretch => {
            let smaller = Size::new(box_size.width.min(upright.width), box_size.height.min(upright.height));
            whole(upright, smaller)
        }
        Fit::Cover => cover(upright, box_size, wish.enlarge),
        Fit::Pad => {
            let (x, y) = centred(box_size, contained);
            let canvas = Canvas { size: box_size, x, y, color: WHITE };
            Part { canvas: (contained != box_size).then_some(canvas), ..whole(upright, contained) }
        }
    })
}

fn whole(upright: Size, target: Size) -> Part {
    Part { target, ..Part::whole(upright) }
}

fn by_percent(upright: Size, percent: f64, enlarge: bool) -> Result<Size, String> {
    if !(percent > 0.0 && percent <= 100_000.0) {
        return Err(format!("{percent} is no percentage of a size"));
    }
    let percent = if enlarge { percent } else { percent.min(100.0) };
    let side = |side: u32| ((f64::from(side) * percent / 100.0 + 0.5).floor() as u32).max(1);
    Ok(Size::new(side(upright.width), side(upright.height)))
}

/// Returns the largest size of the picture's own shape within the given sides.
fn contain(upright: Size, width: Option<u32>, height: Option<u32>, enlarge: bool) -> Size {
    let by_width = width.map(|width| Size::new(width, scaled(upright.height, width, upright.width)));
    let by_height = height.map(|height| Size::new(scaled(upright.width, height, upright.height), height));
    // The side with the smaller ratio decides: width / upright.width <= height / upright.height.
    let width_decides = match (width, height) {
        (Some(width), Some(height)) => {
            u64::from(width) * u64::from(upright.height) <= u64::from(height) * u64::from(upright.width)
        }
        (width, _) => width.is_some(),
    };
    let size = if width_decides { by_width } else { by_height }.unwrap_or(upright);
    let grows = size.width > upright.width || size.height > upright.height;
    if grows && !enlarge { upright } else { size }
}

/// Returns the middle piece of the box's shape, at the box's size.
fn cover(upright: Size, box_size: Size, enlarge: bool) -> Part {
    let piece = contain(box_size, Some(upright.width), Some(upright.height), true);
    let (x, y) = centred(upright, piece);
    let crop = Rect { x, y, width: piece.width, height: piece.height };
    let grows = box_size.width > piece.width || box_size.height > piece.height;
    Part { crop, target: if grows && !enlarge { piece } else { box_size }, ..Part::whole(upright) }
}

/// Returns `side × numerator / denominator`, rounded half up, at least 1.
fn scaled(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (side, numerator, denominator) = (u64::from(side), u64::from(numerator), u64::from(denominator));
    let rounded = (2 * side * numerator + denominator) / (2 * denominator);
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

/// Returns the start of the inner rectangle when it is centred in the outer one.
fn centred(outer: Size, inner: Size) -> (u32, u32) {
    ((outer.width - inner.width) / 2, (outer.height - inner.height) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Orientation;
    use serde_json::Value;

    fn number(value: &Value, key: &str) -> Option<u32> {
        value[key].as_u64().and_then(|number| number.try_into().ok())
    }

    fn size(value: &Value) -> Size {
        Size::new(number(value, "width").unwrap(), number(value, "height").unwrap())
    }

    fn position(value: &Value) -> (u32, u32) {
        (number(value, "x").unwrap(), number(value, "y").unwrap())
    }

    /// The same table tests the page's implementation.
    #[test]
    fn every_row_of_the_shared_table_gives_its_size() {
        let table: Value = serde_json::from_str(include_str!("../../../tests/fixtures/sizing.json")).unwrap();
        let rows = table.as_array().unwrap();
        assert!(rows.len() >= 60);
        for row in rows {
            let wish = &row["wish"];
            let wish = Wish {
                width: number(wish, "width"),
                height: number(wish, "height"),
                percent: wish["percent"].as_f64(),
                fit: Fit::from_str(wish["fit"].as_str().unwrap(), false).unwrap(),
                enlarge: wish["enlarge"].as_bool().unwrap(),
            };
            let orientation = Orientation::from_exif(row["orientation"].as_u64().unwrap() as u16).unwrap();
            let (x, y) = position(&row["crop"]);
            let Size { width, height } = size(&row["crop"]);
            let canvas = (!row["canvas"].is_null()).then(|| {
                let (x, y) = position(&row["canvas"]);
                Canvas { size: size(&row["canvas"]["size"]), x, y, color: WHITE }
            });
            let crop = Rect { x, y, width, height };
            let want = Part { crop, canvas, ..Part::whole(size(&row["target"])) };
            let got = place(orientation.turn(size(&row["stored"])), &wish);
            assert_eq!(got, Ok(want), "{}: {wish:?}", row["why"]);
        }
    }
}
