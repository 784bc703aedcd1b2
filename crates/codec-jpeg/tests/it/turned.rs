//! Turned copies without loss, compared with those of jpegtran.

use raster::{Budget, Limits, Metadata, Orientation, PixelFormat, Result, Size};
use testkit::{Picture, corpus, generate, memory};

use crate::djpeg::{self, SAMPLINGS};

/// The turns and the arguments with which jpegtran makes them.
const TURNS: [(Orientation, &[&str]); 7] = [
    (Orientation::FlipHorizontal, &["-flip", "horizontal"]),
    (Orientation::Rotate180, &["-rotate", "180"]),
    (Orientation::FlipVertical, &["-flip", "vertical"]),
    (Orientation::Transpose, &["-transpose"]),
    (Orientation::Rotate90, &["-rotate", "90"]),
    (Orientation::Transverse, &["-transverse"]),
    (Orientation::Rotate270, &["-rotate", "270"]),
];

fn turned(jpeg: &[u8], turn: Orientation) -> Result<Vec<u8>> {
    let mut copy = Vec::new();
    memory::counted("the copy", &Limits::default(), |budget: &Budget| {
        codec_jpeg::turn(&jpeg, &mut copy, turn, &Metadata::default(), budget)
    })?;
    Ok(copy)
}

/// Compares turns of a file with jpegtran's. Returns how many it made.
fn compare(what: &str, jpeg: &[u8], turns: &[(Orientation, &[&str])]) -> usize {
    let mut made = 0;
    for &(turn, arguments) in turns {
        let theirs = djpeg::jpegtran(jpeg, &[&["-copy", "none", "-perfect"], arguments].concat());
        let ours = turned(jpeg, turn);
        assert_eq!(ours.is_ok(), theirs.is_some(), "{what} {turn:?}: {:?}", ours.err());
        let (Ok(ours), Some(theirs)) = (ours, theirs) else { continue };
        made += 1;
        let [ours, theirs] = [&ours, &theirs].map(|jpeg| djpeg::decode(jpeg));
        assert!(ours.is_some() && ours == theirs, "{what} {turn:?}: other pixels than jpegtran's");
    }
    made
}

#[test]
fn all_turns_of_all_samplings_are_those_of_jpegtran() {
    let pixels = |size: Size, gray: bool| -> Picture {
        generate::zone_plate(size, if gray { PixelFormat::GRAY8 } else { PixelFormat::RGB8 })
    };
    let mut made = 0;
    // Whole MCUs of every sampling; a part of one at the right, at the bottom, at both.
    for size in [(192, 96), (101, 96), (192, 50), (61, 45)] {
        let size = Size::new(size.0, size.1);
        for sampling in SAMPLINGS {
            let codings: &[&[&str]] = &[&[], &["-progressive"], &["-restart", "1"], &["-arithmetic"]];
            // The order of blocks does not depend on the coding.
            for coding in &codings[..if sampling == "2x2" { 4 } else { 1 }] {
                let arguments = [&["-sample", sampling, "-quality", "70"], *coding].concat();
                let Some(jpeg) = djpeg::encode(&pixels(size, false), &arguments) else { continue };
                made += compare(&format!("{size} {arguments:?}"), &jpeg, &TURNS);
            }
        }
        let Some(jpeg) = djpeg::encode(&pixels(size, true), &["-quality", "20"]) else { return };
        made += compare(&format!("{size} grey"), &jpeg, &TURNS);
    }
    assert!(made > 200, "only {made}");
}

#[test]
fn turns_that_undo_each_other_give_the_pixels_of_the_original() {
    let Some(jpeg) = djpeg::encode(&generate::zone_plate(Size::new(64, 48), PixelFormat::RGB8), &[]) else { return };
    for (turn, _) in TURNS {
        let back = TURNS.iter().map(|(back, _)| *back).find(|&back| turn.then(back) == Orientation::Upright).unwrap();
        let again = turned(&turned(&jpeg, turn).unwrap(), back).unwrap();
        assert!(djpeg::decode(&again) == djpeg::decode(&jpeg), "{turn:?}");
    }
}

#[test]
fn damaged_files_and_other_colors_are_refused() {
    let picture = generate::zone_plate(Size::new(64, 48), PixelFormat::RGB8);
    let Some(jpeg) = djpeg::encode(&picture, &[]) else { return };
    let rgb = djpeg::encode(&picture, &["-rgb"]).unwrap();
    let mut broken = jpeg.clone();
    let middle = broken.len() * 2 / 3;
    broken[middle..middle + 2].copy_from_slice(&[0xFF, 0xD3]); // a restart marker where none can be
    for (what, jpeg) in [("cut", &jpeg[..jpeg.len() / 2]), ("broken", &broken), ("RGB", &rgb)] {
        let refusal = turned(jpeg, Orientation::Rotate90).err().map(|error| error.code());
        assert_eq!(refusal, Some("unsupported"), "{what}");
    }
}

#[test]
fn a_photograph_is_turned_within_its_budget() {
    let Some(photos) = corpus::photos() else { return };
    let path = photos.iter().find(|path| path.to_string_lossy().contains("iPhone_13")).unwrap();
    assert_eq!(compare(&path.to_string_lossy(), &std::fs::read(path).unwrap(), &TURNS[4..5]), 1);
}
