//! Kinds of valid and of damaged files, each compared with djpeg byte by byte.

use raster::{Budget, Limits, Notes, PixelFormat, Size, Warning};
use testkit::{Picture, generate, read_all};

use crate::djpeg;

fn picture() -> Picture {
    generate::zone_plate(Size::new(149, 117), PixelFormat::RGB8)
}

/// Encodes a picture; `script` is a list of scans for cjpeg. Returns `None` if cjpeg is missing.
pub(crate) fn encode(picture: &Picture, arguments: &[&str], script: Option<&str>) -> Option<Vec<u8>> {
    let Some(script) = script else { return djpeg::encode(picture, arguments) };
    let mut file = tempfile();
    std::io::Write::write_all(&mut file.1, script.as_bytes()).unwrap();
    let encoded = djpeg::encode(picture, &[arguments, &["-scans", file.0.to_str().unwrap()]].concat());
    std::fs::remove_file(file.0).unwrap();
    encoded
}

/// Creates a file of a name of its own.
fn tempfile() -> (std::path::PathBuf, std::fs::File) {
    use core::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("codec-jpeg-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let file = std::fs::File::create(&path).unwrap();
    (path, file)
}

fn read(jpeg: &[u8]) -> raster::Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = codec_jpeg::open(&jpeg, &Budget::new(&Limits::default()), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

/// Asserts that a file has djpeg's pixels, and that there is a warning if it is damaged.
fn compare(what: &str, jpeg: &[u8], is_damaged: bool) {
    let (got, warnings) = read(jpeg).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(djpeg::decode(jpeg).is_some_and(|want| got == want), "{what}: other pixels than djpeg's");
    assert_eq!(!warnings.is_empty(), is_damaged, "{what}: {warnings:?}");
}

/// Asserts that the readable rows of a damaged file are djpeg's. Returns false when djpeg refuses the file.
fn compare_readable(what: &str, jpeg: &[u8]) -> bool {
    let Some(want) = djpeg::decode(jpeg) else { return false };
    let (got, warnings) = match read(jpeg) {
        Ok(read) => read,
        Err(error) => panic!("{what}: {error}"),
    };
    let readable = match warnings[..] {
        [.., Warning::Truncated { rows, .. }] => rows,
        _ => want.size.height,
    };
    let len = readable as usize * want.size.width as usize * want.pixels.bytes();
    assert!(got.rows[..len] == want.rows[..len], "{what}: other pixels than djpeg's in {readable} rows");
    true
}

#[test]
fn sequential_files_in_several_scans_are_read() {
    for sample in ["1x1", "2x1", "1x2", "2x2", "4x1", "4x2"] {
        for script in ["0; 1; 2;", "0,1; 2;", "0,2; 1;", "1,2; 0;"] {
            for restart in [&[][..], &["-restart", "3B"]] {
                let Some(jpeg) = encode(&picture(), &[&["-sample", sample], restart].concat(), Some(script)) else {
                    return;
                };
                compare(&format!("{sample} {script} {restart:?}"), &jpeg, false);
            }
        }
    }
}

#[test]
fn arithmetic_codes_are_read() {
    for way in [&[][..], &["-progressive"], &["-restart", "3B", "-sample", "1x1"], &["-restart", "1", "-progressive"]] {
        let Some(jpeg) = encode(&picture(), &[&["-arithmetic"], way].concat(), None) else { return };
        compare(&format!("{way:?}"), &jpeg, false);
        let (got, warnings) = read(&jpeg[..jpeg.len() / 2]).unwrap();
        assert_eq!((got.size, warnings.len()), (picture().size, 1), "{way:?}, cut");
    }
    let Some(jpeg) = encode(&picture(), &["-arithmetic", "-restart", "2B", "-sample", "2x1"], None) else { return };
    let third = markers(&jpeg, 0xD2)[0];
    compare("a lost restart marker", &[&jpeg[..third], &jpeg[third + 2..]].concat(), true);
    for at in (markers(&jpeg, 0xDA)[0] + 20..jpeg.len() - 2).step_by(131) {
        let mut changed = jpeg.clone();
        changed[at] = 0x55;
        compare_readable(&format!("byte {at}"), &changed);
    }
}

/// Returns the offsets of the markers with this code.
fn markers(jpeg: &[u8], code: u8) -> Vec<usize> {
    (0..jpeg.len() - 1).filter(|&at| jpeg[at..at + 2] == [0xFF, code]).collect()
}

#[test]
fn segments_between_the_last_scan_and_the_end_do_no_harm() {
    let height = picture().size.height as u8;
    for way in [&["-sample", "2x2"][..], &["-progressive"]] {
        let Some(jpeg) = encode(&picture(), way, None) else { return };
        let (data, end) = jpeg.split_at(jpeg.len() - 2);
        for segment in
            [&[0xFF, 0xE3, 0, 4, 1, 2][..], &[0xFF, 0xEF, 0, 2], &[0xFF, 0x01], &[0xFF, 0xDC, 0, 4, 0, height]]
        {
            compare(&format!("{way:?} {segment:x?}"), &[data, segment, end].concat(), false);
        }
    }
}

/// libjpeg refuses such files, so the same file with its height in the header is the reference.
#[test]
fn a_height_behind_the_first_scan_is_read() {
    let height = (picture().size.height as u16).to_be_bytes();
    for way in [&["-baseline"][..], &["-restart", "3B"], &["-progressive"], &["-arithmetic"]] {
        let Some(jpeg) = encode(&picture(), way, None) else { return };
        let frame = [0xC0, 0xC2, 0xC9].iter().find_map(|&code| markers(&jpeg, code).first().copied()).unwrap();
        let is_end = |at: &usize| jpeg[*at] == 0xFF && !matches!(jpeg[at + 1], 0 | 0xD0..=0xD7);
        let end = (markers(&jpeg, 0xDA)[0] + 2..jpeg.len() - 1).find(is_end).unwrap();
        let (before, behind) = jpeg.split_at(end);
        let mut before = before.to_vec();
        before[frame + 5..frame + 7].fill(0);
        let late = [&before[..], &[0xFF, 0xDC, 0, 4], &height, behind].concat();
        assert!(read(&late).unwrap() == read(&jpeg).unwrap(), "{way:?}");
        assert!(read(&[&before[..], behind].concat()).is_err(), "{way:?}: no height at all");
    }
}

#[test]
fn restart_markers_are_matched_by_their_numbers() {
    let Some(jpeg) = encode(&picture(), &["-restart", "2B", "-sample", "2x1"], None) else { return };
    let third = markers(&jpeg, 0xD2)[0];
    let without = |from: usize, to: usize| [&jpeg[..from], &jpeg[to..]].concat();
    compare("lost", &without(third, third + 2), true);
    compare("doubled", &[&jpeg[..third + 2], &jpeg[third..]].concat(), true);
    compare("an interval lost", &without(third, markers(&jpeg, 0xD3)[0]), true);
    let mut wrong = jpeg.clone();
    wrong[third + 1] = 0xD6;
    compare("wrong number", &wrong, true);
}

#[test]
fn damaged_scans_give_what_djpeg_gives_and_a_warning() {
    let Some(several) = encode(&picture(), &["-sample", "2x2"], Some("0; 1; 2;")) else { return };
    let scans = markers(&several, 0xDA);
    compare("a scan is missing", &[&several[..scans[2]], b"\xFF\xD9"].concat(), true);
    let (got, warnings) = read(&several[..several.len() * 99 / 100]).unwrap();
    assert_eq!((got.size, warnings.len()), (picture().size, 1), "cut in the last scan");

    // A table of impossible codes between progressive scans: djpeg refuses the file, we keep the scans before it.
    let Some(progressive) = encode(&picture(), &["-progressive"], None) else { return };
    let third = markers(&progressive, 0xDA)[2];
    let table = markers(&progressive[..third], 0xC4);
    let mut broken = progressive.clone();
    broken[table[table.len() - 1] + 5] = 200;
    let (got, warnings) = read(&broken).unwrap();
    assert!(!got.rows.iter().all(|&sample| sample == got.rows[0]), "a picture");
    assert_eq!(warnings.len(), 1);
}

#[test]
fn unfinished_progressive_files_are_smoothed_as_by_djpeg() {
    smoothing(&[(149, 117), (13, 41)], &["2x2"], 7);
}

#[test]
#[ignore = "it compares more than 4,000 files, which takes half a minute"]
fn the_grid_of_unfinished_files_equals_djpeg() {
    let sizes = [(149, 117), (8, 8), (16, 40), (17, 33), (40, 16), (31, 57), (32, 24)];
    smoothing(&sizes, &["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "1x1,2x2,1x2"], 29);
}

/// Cuts progressive files behind each scan and at `cuts` other places.
fn smoothing(sizes: &[(u32, u32)], samplings: &[&str], cuts: usize) {
    let mut compared = 0;
    for (size, sample) in sizes.iter().flat_map(|size| samplings.iter().map(move |sample| (size, sample))) {
        let picture = generate::zone_plate(Size::new(size.0, size.1), PixelFormat::RGB8);
        for way in [&[][..], &["-restart", "3B"], &["-arithmetic"]] {
            let Some(jpeg) = djpeg::encode(&picture, &[&["-progressive", "-sample", sample], way].concat()) else {
                return;
            };
            let scans = markers(&jpeg, 0xDA);
            let places = scans[1..].iter().copied();
            for cut in places.chain((0..cuts).map(|i| scans[0] + 15 + (jpeg.len() - scans[0] - 17) * i / cuts)) {
                let cut_jpeg = [&jpeg[..cut], b"\xFF\xD9"].concat();
                compared += u32::from(compare_readable(&format!("{size:?} {sample} {way:?} {cut}"), &cut_jpeg));
            }
        }
    }
    println!("{compared} files");
}

/// Samplings × scripts × restart intervals; `-- --ignored` with more of each.
fn grid(samplings: &[&str], restarts: &[&str]) {
    let ways: [(&[&str], Option<&str>); 7] = [
        (&[], None),
        (&["-progressive"], None),
        (&[], Some("0; 1; 2;")),
        (&["-progressive"], Some(SHORT_PROGRESSION)),
        (&["-arithmetic"], None),
        (&["-arithmetic", "-progressive"], None),
        (&["-arithmetic"], Some("0,2; 1;")),
    ];
    let mut compared = 0;
    for (sample, restart) in samplings.iter().flat_map(|sample| restarts.iter().map(move |restart| (sample, restart))) {
        for (way, script) in ways {
            let restart = if restart.is_empty() { &[][..] } else { &["-restart", *restart] };
            let Some(jpeg) =
                encode(&picture(), &[&["-sample", sample, "-quality", "90"], way, restart].concat(), script)
            else {
                continue; // cjpeg refuses MCUs of more than ten blocks
            };
            compare(&format!("{sample} {restart:?} {way:?} {script:?}"), &jpeg, false);
            compared += 1;
        }
    }
    println!("{compared} files");
}

/// All coefficients in two steps of bits.
const SHORT_PROGRESSION: &str = "0,1,2: 0-0, 0, 1; 0: 1-63, 0, 2; 1: 1-63, 0, 1; 2: 1-63, 0, 1; 0: 1-63, 2, 1; \
    0,1,2: 0-0, 1, 0; 0: 1-63, 1, 0; 1: 1-63, 1, 0; 2: 1-63, 1, 0;";

#[test]
fn a_sample_of_the_grid_equals_djpeg() {
    grid(&["2x2", "1x2,1x1,2x1"], &["", "1B"]);
}

#[test]
#[ignore = "it compares more than 1,200 files, which takes ten seconds"]
fn the_grid_equals_djpeg() {
    grid(&djpeg::SAMPLINGS, &["", "1B", "2B", "3B", "5B", "7B", "16B", "40B", "1", "2", "3", "5"]);
}
