//! Decoders of the device that refuse pictures or give wrong ones: the rows are those of the own decoder. The page's
//! tests have a device that decodes (web/engine/worker/web-codecs.browser.test.ts).

use std::cell::{Cell, RefCell};

use heif::{Coded, Device, DevicePicture, Planes, State};
use raster::{Budget, Notes, Size};
use yuv::Sampling;

use crate::corpus::LIMITS;

/// A file of 3 × 2 tiles of 64 × 64 pixels with 8 bits, 4:2:0 and alpha.
const TILES: &[u8] = include_bytes!("../../../../tests/fixtures/pictures/tiles-420.avif");

/// A device that ends each picture after some questions.
struct Pretend {
    questions: u32,
    end: State,
    side: u32,
    layout: (u8, Sampling),
    asked: RefCell<Vec<(String, Size)>>,
}

struct Picture {
    questions: Cell<u32>,
    end: State,
    side: u32,
    layout: (u8, Sampling),
}

impl Device for Pretend {
    fn decode(&self, picture: &Coded<'_>) -> Box<dyn DevicePicture> {
        assert!(!picture.data.is_empty() && picture.configuration.len() >= 4);
        self.asked.borrow_mut().push((picture.codec.into(), picture.size));
        let &Self { questions, end, side, layout, .. } = self;
        Box::new(Picture { questions: Cell::new(questions), end, side, layout })
    }
}

impl DevicePicture for Picture {
    fn state(&self) -> State {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        if left == 0 { self.end } else { State::UnderWay }
    }
}

impl Planes for Picture {
    fn size(&self) -> Size {
        Size::new(self.side, self.side)
    }

    fn layout(&self) -> (u8, Sampling) {
        self.layout
    }

    fn copy_row(&self, plane: usize, _: u32, row: &mut [u16]) {
        row.fill(if plane == 0 { 99 } else { 128 });
    }
}

/// Returns all rows of the file and what describes them.
fn raw(device: Option<&dyn Device>) -> Vec<u8> {
    let (mut bytes, budget, notes) = (Vec::new(), Budget::new(&LIMITS), Notes::default());
    let mut reader = codec_avif::open_with(&TILES, device, &budget, &notes).unwrap();
    raster::steps::finished(codec_raw::transfer(&mut *reader, None, &mut bytes, &budget, &notes)).unwrap();
    assert!(notes.warnings().is_empty());
    bytes
}

/// A device that ends each picture like this after some questions.
fn pretend(questions: u32, end: State, side: u32, layout: (u8, Sampling)) -> Pretend {
    Pretend { questions, end, side, layout, asked: RefCell::default() }
}

#[test]
fn the_device_gets_each_tile_once_and_its_planes_become_rows() {
    let device = pretend(3, State::Decoded, 64, (8, Sampling::Half));
    let rows = raw(Some(&device));
    assert_eq!(rows.len(), raw(None).len());
    assert!(rows != raw(None));
    // Six tiles of colours and six of alpha.
    let asked = device.asked.borrow();
    assert_eq!(asked.len(), 12);
    assert!(asked.iter().all(|(codec, size)| codec == "av01.0.00M.08" && *size == Size::new(64, 64)), "{asked:?}");
}

#[test]
fn what_the_device_refuses_is_decoded_here() {
    let own = raw(None);
    for (what, device) in [
        ("at once", pretend(0, State::Failed, 64, (8, Sampling::Half))),
        ("later", pretend(5, State::Failed, 64, (8, Sampling::Half))),
        ("another size", pretend(1, State::Decoded, 63, (8, Sampling::Half))),
        ("another depth", pretend(1, State::Decoded, 64, (10, Sampling::Half))),
        ("another sampling", pretend(1, State::Decoded, 64, (8, Sampling::Full))),
    ] {
        // Grey pictures need only luma, and alpha is grey.
        let is_only_of_colors = what == "another sampling";
        let rows = raw(Some(&device));
        assert_eq!(rows == own, !is_only_of_colors, "{what}");
        // A row of tiles of colours and of alpha, and not again.
        assert_eq!(device.asked.borrow().len(), if is_only_of_colors { 9 } else { 6 }, "{what}");
    }
}
