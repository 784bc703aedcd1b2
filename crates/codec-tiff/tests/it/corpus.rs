//! Every TIFF of the shared corpus: readable files have the pixels of libtiff or ImageMagick, invalid ones are refused,
//! and no file causes a panic or takes long.

use codec_tiff::open;
use raster::{Budget, Limits, Notes, Result, RowFormat, Warning};
use testkit::corpus::Row;
use testkit::threads::on_two_threads;
use testkit::{Picture, Wide, memory, read_all};

use crate::oracle;

/// The limits for a hostile file.
const HOSTILE: Limits = Limits { memory: 64 << 20 };

/// The largest and the mean difference, in levels of 255, that is allowed from other programs: libtiff cuts sixteen
/// bits to eight instead of rounding.
const USUAL: (f64, f64) = (1.0, f64::INFINITY);

/// Files with a larger difference, with the reason: the largest and the mean difference.
const EXCEPTIONS: [(&str, f64, f64); 5] = [
    // Old JPEG: libtiff repeats chroma, we interpolate it as JPEG decoders do.
    ("smallliz.tif", 40.0, 1.3),
    ("zackthecat.tif", 24.0, 1.0),
    ("old-style-jpeg-compression.tif", 48.0, 0.1),
    ("old-style-jpeg-compression-no-samplesperpixel.tif", 48.0, 0.1),
    // Lab: ImageMagick uses D65 as white, libtiff the white of a monitor.
    ("lab-green.tif", 1.1, 0.4),
];

/// Files with FillOrder 2 below eight bits, and equal files without it. libtiff's RGBA interface reverses pixels of the
/// former too, and ImageMagick exchanges white and black. Both read the latter.
const EQUIVALENTS: [(&str, &str); 2] = [("hopper2IR.tif", "hopper2I.tif"), ("hopper4IR.tif", "hopper4I.tif")];

/// Files whose number of frames is not their number of directories: two overviews are marked as reduced.
const FRAMES: [(&str, u32); 1] = [("usda_naip_256_webp_z3.tif", 1)];

fn file_name(row: &Row) -> &str {
    row.name.rsplit('/').next().expect("a name")
}

fn read(bytes: &[u8]) -> Result<(Picture, Vec<Warning>)> {
    let source = bytes;
    let notes = Notes::default();
    let mut reader = open(&source, &Budget::new(&HOSTILE), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

#[test]
fn every_valid_file_has_the_pixels_of_libtiff_or_imagemagick() {
    let Some(rows) = testkit::corpus::rows("tiff") else { return };
    let with_oracle = oracle::is_there();
    let must: Vec<&Row> = rows.iter().filter(|row| row.must && !row.reject).collect();
    assert!(must.len() > 200);
    let failure = |row: &&Row| check(row, with_oracle).err().map(|why| format!("{}: {why}", row.name));
    let failures: Vec<String> = on_two_threads(&must, failure).into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), must.len(), failures.join("\n"));
}

fn check(row: &Row, with_oracle: bool) -> std::result::Result<(), String> {
    let bytes = row.bytes();
    let notes = Notes::default();
    let mut reader = open(&bytes, &Budget::new(&HOSTILE), &notes).map_err(|e| e.to_string())?;
    let info = reader.info().clone();
    let frames = FRAMES.iter().find(|(name, _)| *name == file_name(row)).map(|(_, frames)| *frames).or(row.frames);
    let size = Some((info.size.width, info.size.height));
    let is_depth_right = row.bit_depth.is_none_or(|depth| depth == info.stored.depth);
    if size != row.size || Some(info.frames) != frames || !is_depth_right {
        return Err(format!("{}, {} frames, {} bits", info.size, info.frames, info.stored.depth));
    }
    if info.orientation.exif() != row.orientation.unwrap_or(1) {
        return Err(format!("orientation {:?}", info.orientation));
    }
    for page in 0..info.frames {
        let picture = read_all(&mut *reader).map_err(|e| e.to_string())?;
        // No file of the corpus mixes pages of inks with pages of colours.
        let is_ink = matches!(reader.info().row_format, RowFormat::Inks { .. });
        if with_oracle {
            compare(row, page, &picture, is_ink).map_err(|why| format!("page {page}: {why}"))?;
        }
    }
    let is_cut = |warning: &Warning| matches!(warning, Warning::Truncated { .. });
    // The last JPEG strips of these files are broken, and no program reads them.
    let may_be_cut = file_name(row).starts_with("clusterfuzz");
    if notes.warnings().iter().any(is_cut) && !may_be_cut {
        return Err(format!("{:?}", notes.warnings()));
    }
    Ok(())
}

/// Our picture and another program's in a comparable form, or the reason why there is none.
type Reading = std::result::Result<(Wide, Wide), String>;

/// Asserts that one program agrees, and that an exception is needed.
fn compare(row: &Row, page: u32, ours: &Picture, is_ink: bool) -> std::result::Result<(), String> {
    let equivalent = EQUIVALENTS.iter().find(|(name, _)| *name == file_name(row)).map(|(_, equivalent)| *equivalent);
    let path = equivalent.map_or_else(|| row.path.clone(), |equivalent| row.path.with_file_name(equivalent));
    let wide = Wide::of(ours);
    let shown = if is_ink { wide.printed() } else { wide.premultiplied() };
    let known = EXCEPTIONS.iter().find(|(name, ..)| *name == file_name(row)).map(|&(_, most, mean)| (most, mean));
    let of_libtiff = oracle::libtiff(&path, page, ours.size).map(|theirs| (shown.clone(), theirs));
    if known.is_none() && agrees(&of_libtiff, USUAL) {
        return Ok(());
    }
    let of_magick = oracle::magick(&path, page, ours.size, is_ink);
    let of_magick = of_magick.map(|theirs| if is_ink { (wide, theirs) } else { (shown, theirs.premultiplied()) });
    let readings = [of_libtiff, of_magick];
    let somebody_agrees = |bounds| readings.iter().any(|reading| agrees(reading, bounds));
    if known.is_some() && somebody_agrees(USUAL) {
        return Err("needs no exception: strike it off the list".into());
    }
    if somebody_agrees(known.unwrap_or(USUAL)) {
        return Ok(());
    }
    Err(format!("libtiff: {}; ImageMagick: {}", say(&readings[0]), say(&readings[1])))
}

/// Whether the largest and the mean difference are within these bounds.
fn agrees(reading: &Reading, (most, mean): (f64, f64)) -> bool {
    let is_within = |(ours, theirs): &(Wide, Wide)| {
        ours.distance(theirs).is_some_and(|d| d <= most) && ours.mean_distance(theirs) <= mean
    };
    reading.as_ref().is_ok_and(is_within)
}

fn say(reading: &Reading) -> String {
    match reading {
        Ok((ours, theirs)) => {
            format!("{:?} at most, {:.3} on average", ours.distance(theirs), ours.mean_distance(theirs))
        }
        Err(why) => why.clone(),
    }
}

#[test]
fn every_invalid_file_is_refused_within_a_second() {
    testkit::corpus::refuse("tiff", read);
}

/// libtiff's flower in every depth is one picture; depths that no other program reads are compared with each other.
#[test]
fn one_picture_is_the_same_at_every_depth() {
    let Some(rows) = testkit::corpus::rows("tiff") else { return };
    let flower = |kind: &str, bits: u32| {
        let name = format!("flower-{kind}-{bits:02}.tif");
        let row = rows.iter().find(|row| file_name(row) == name).expect("a row of the table");
        Wide::of(&read(&row.bytes()).expect("a picture").0)
    };
    for kind in ["minisblack", "rgb-contig", "rgb-planar"] {
        let deepest = flower(kind, 16);
        for bits in [2, 4, 10, 12, 14, 24, 32] {
            // The tolerance is half a step of the coarser depth; the writer of the one with 24 bits used 8.
            let depth = if bits == 24 { 8 } else { bits.min(16) };
            let step = 255.0 / f64::from((1_u32 << depth) - 1);
            let mean = flower(kind, bits).mean_distance(&deepest);
            assert!(mean <= 0.6 * step + 0.01, "{kind} of {bits} bits: {mean} levels on average");
        }
    }
}

#[test]
fn profiles_descriptions_and_densities_are_found() {
    let Some(rows) = testkit::corpus::rows("tiff") else { return };
    let metadata = |name: &str| {
        let row = rows.iter().find(|row| file_name(row) == name).expect("a row of the table");
        let bytes = row.bytes();
        let reader = open(&bytes, &Budget::new(&HOSTILE), &Notes::default()).expect("a readable file");
        reader.info().metadata.clone()
    };
    assert_eq!(metadata("hopper.iccprofile.tif").icc.as_deref().expect("a profile")[36..40], *b"acsp");
    let xmp = metadata("cmyk-4c-8b.tiff").xmp.clone().expect("a packet");
    assert!(String::from_utf8(xmp).expect("text").contains("Adobe Photoshop 24.7"));
    let two = metadata("hopper_float_dpi_2.tif").resolution.expect("a density");
    let three = metadata("hopper_float_dpi_3.tif").resolution.expect("a density");
    assert!((three.x / two.x - 2.54).abs() < 0.001, "{two:?} an inch, {three:?} by the centimetre");
    let unsaid = metadata("hopper_float_dpi_None.tif").resolution.expect("a density");
    assert_eq!(unsaid, two, "inches where there is no unit");
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("tiff", &HOSTILE, open);
}
