//! Decoding at a half, a quarter and an eighth of the size, compared with `djpeg -scale` byte by byte.

use raster::{Budget, FrameInfo, Limits, Notes, PixelFormat, RowReader, Size, Wanted, Warning};
use testkit::{Picture, generate};

use crate::djpeg;
use crate::kinds::encode;

/// Decodes a file at the smallest scale that gives this size.
fn read(jpeg: &[u8], size: Size) -> (FrameInfo, Picture, Vec<Warning>) {
    let notes = Notes::default();
    let mut reader = codec_jpeg::open(&jpeg, &Budget::new(&Limits::default()), &notes).unwrap();
    let mut frame = reader.next_frame(&Wanted { size: Some(size) }).unwrap().unwrap();
    let info = frame.info;
    let mut rows = vec![0; info.row_bytes() as usize * info.size.height as usize];
    for row in rows.chunks_mut(info.row_bytes() as usize) {
        frame.rows.read_row(row).unwrap();
    }
    (info, Picture { size: info.size, pixels: info.row_format.in_colors(), rows }, notes.warnings())
}

/// Compares a file at each scale.
fn compare(what: &str, jpeg: &[u8], full: Size) {
    for reduction in [2, 4, 8] {
        let size = Size::new(full.width.div_ceil(reduction), full.height.div_ceil(reduction));
        let (info, got, warnings) = read(jpeg, size);
        // A picture of few pixels can have this size at a smaller scale, too.
        assert!(info.reduction >= reduction, "{what} at 1/{reduction}");
        let want = djpeg::decode_scaled(jpeg, info.reduction);
        assert!(want.is_some_and(|want| got == want), "{what} at 1/{reduction}: other pixels than djpeg's");
        assert_eq!((info.size, info.full_size, warnings), (size, full, Vec::new()), "{what} at 1/{reduction}");
    }
}

/// Samplings × sizes × kinds of files.
fn grid(samplings: &[&str], sizes: &[(u32, u32)]) {
    let kinds: [(&[&str], Option<&str>); 5] = [
        (&[], None),
        (&["-progressive"], None),
        (&["-restart", "3B"], None),
        (&[], Some("0; 1; 2;")),
        (&["-progressive", "-restart", "1"], None),
    ];
    let mut compared = 0;
    for (sampling, &(width, height)) in samplings.iter().flat_map(|sampling| sizes.iter().map(move |s| (sampling, s))) {
        let picture = generate::zone_plate(Size::new(width, height), PixelFormat::RGB8);
        for (kind, script) in kinds {
            let way = [&["-sample", *sampling, "-quality", "90"], kind].concat();
            let Some(jpeg) = encode(&picture, &way, script) else {
                continue; // cjpeg refuses MCUs of more than ten blocks
            };
            compare(&format!("{sampling} {width} × {height} {kind:?} {script:?}"), &jpeg, picture.size);
            compared += 3;
        }
    }
    println!("{compared} pictures");
}

#[test]
fn a_sample_of_the_scales_equals_djpeg() {
    grid(&["2x2", "2x1"], &[(149, 117)]);
    grid(&["1x2,1x1,2x1"], &[(33, 18)]);
    let gray = generate::noise(Size::new(50, 41), PixelFormat::GRAY8, 3);
    let Some(jpeg) = encode(&gray, &["-quality", "95"], None) else { return };
    compare("grey noise", &jpeg, gray.size);
}

#[test]
#[ignore = "it compares 1,500 pictures, which takes four seconds"]
fn the_grid_of_scales_equals_djpeg() {
    grid(&djpeg::SAMPLINGS, &[(1, 1), (5, 3), (17, 9), (33, 34), (64, 48), (149, 117), (200, 75)]);
}

#[test]
fn the_rows_that_a_cut_file_has_are_told_for_the_full_size() {
    let picture = generate::zone_plate(Size::new(149, 117), PixelFormat::RGB8);
    let Some(jpeg) = encode(&picture, &["-sample", "2x2"], None) else { return };
    let (info, _, warnings) = read(&jpeg[..jpeg.len() / 2], Size::new(10, 10));
    assert_eq!(info.reduction, 8);
    assert!(matches!(warnings[..], [Warning::Truncated { rows, of: 117 }] if (40..80).contains(&rows)), "{warnings:?}");
}
