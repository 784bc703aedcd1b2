//! Crops, canvases, orientations.

use pipeline::{Canvas, Part};
use raster::{Channels, Depth, Format, Orientation, PixelFormat, Rect, Size};
use testkit::generate;

use crate::shared::{file, job, oriented, picture, run, upright, with_part};

#[test]
fn all_eight_orientations_are_turned_upright_at_their_own_size() {
    let noise = generate::noise(Size::new(13, 7), PixelFormat::new(Channels::Rgba, Depth::Sixteen), 3);
    for orientation in Orientation::ALL {
        let want = upright(&noise, orientation);
        let (out, report) = run(&oriented(&noise, orientation), &job(want.size, want.size, Format::Png)).unwrap();
        assert_eq!(picture(&out), want, "{orientation:?}");
        assert_eq!(report.size, want.size);
    }
}

#[test]
fn turning_before_or_after_resizing_gives_the_same_picture() {
    let stored = generate::zone_plate(Size::new(90, 50), PixelFormat::RGB8);
    for orientation in Orientation::ALL {
        let turned = upright(&stored, orientation);
        let target = orientation.turn(Size::new(31, 17));
        let (lying, _) = run(&oriented(&stored, orientation), &job(turned.size, target, Format::Png)).unwrap();
        let (standing, _) = run(&file(&turned, Format::Png), &job(turned.size, target, Format::Png)).unwrap();
        // Sums of mirrored pictures are added in the other order, which rarely rounds differently.
        let difference = testkit::Difference::between(&picture(&lying), &picture(&standing));
        assert!(difference.max <= 1 && difference.identical > 0.999, "{orientation:?} {difference:?}");
    }
}

#[test]
fn a_crop_is_of_the_upright_picture() {
    let noise = generate::noise(Size::new(20, 12), PixelFormat::RGB8, 5);
    for orientation in Orientation::ALL {
        let whole = upright(&noise, orientation);
        let crop = Rect { x: 2, y: 3, width: 7, height: 6 };
        let job = with_part(whole.size, Format::Png, |part| Part { crop, target: crop.size(), ..part });
        let (out, _) = run(&oriented(&noise, orientation), &job).unwrap();
        let got = picture(&out);
        for (x, y) in [(0, 0), (6, 0), (0, 5), (6, 5), (3, 2)] {
            let want: Vec<_> = (0..3).map(|c| whole.sample(x + crop.x, y + crop.y, c)).collect();
            assert_eq!((0..3).map(|c| got.sample(x, y, c)).collect::<Vec<_>>(), want, "{orientation:?} at {x},{y}");
        }
    }
}

#[test]
fn a_canvas_shows_its_colour_where_the_picture_leaves_it_free() {
    let size = Size::new(10, 6);
    let noise = generate::noise(size, PixelFormat::RGB8, 1);
    let canvas = Canvas { size: Size::new(16, 9), x: 4, y: 2, color: [10, 20, 30, 255] };
    for orientation in [Orientation::Upright, Orientation::FlipHorizontal, Orientation::Rotate180] {
        let bytes = oriented(&noise, orientation);
        let (out, report) =
            run(&bytes, &with_part(size, Format::Png, |part| Part { canvas: Some(canvas), ..part })).unwrap();
        assert_eq!(report.size, canvas.size);
        let (got, inner) = (picture(&out), upright(&noise, orientation));
        for y in 0..9 {
            for x in 0..16 {
                let inside = (4..14).contains(&x) && (2..8).contains(&y);
                for c in 0..3 {
                    let want = if inside { inner.sample(x - 4, y - 2, c) } else { [10, 20, 30][c] };
                    assert_eq!(got.sample(x, y, c), want, "{orientation:?} at {x},{y}");
                }
            }
        }
    }
}

#[test]
fn a_clear_canvas_gives_the_picture_an_alpha_channel() {
    let size = Size::new(4, 4);
    let gray = generate::gradient(size, PixelFormat::new(Channels::Gray, Depth::Sixteen));
    let canvas = Some(Canvas { size: Size::new(6, 4), x: 1, y: 0, color: [0; 4] });
    let (out, _) =
        run(&file(&gray, Format::Png), &with_part(size, Format::Png, |part| Part { canvas, ..part })).unwrap();
    let got = picture(&out);
    assert_eq!(got.pixels, PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen));
    assert_eq!((got.sample(0, 0, 1), got.sample(1, 0, 1)), (0, 65_535));
    assert_eq!(got.sample(2, 1, 0), gray.sample(1, 1, 0));
}
