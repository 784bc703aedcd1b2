//! Conversions between pictures and files for all tests.

use pipeline::{Encoding, Job, Part, Report};
use raster::steps::finished;
use raster::{
    Budget, ByteSource, Format, ImageSpec, Limits, Metadata, Notes, Orientation, Result, RowReader, Size, Wanted,
    Warning,
};
use testkit::Picture;

/// Returns the picture as a file of that format, at quality 95 for lossy formats.
pub(crate) fn file(picture: &Picture, format: Format) -> Vec<u8> {
    file_with_profile(picture, format, None)
}

/// Returns the picture as a file with a colour profile.
pub(crate) fn file_with_profile(picture: &Picture, format: Format, icc: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let budget = Budget::new(&Limits::default());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let mut encoding = Encoding::new(format).unwrap();
    if let Encoding::Jpeg(options) = &mut encoding {
        options.quality = Some(95.into());
    }
    let writer = encoding.create(&mut bytes, &spec).unwrap();
    testkit::write_with(writer, picture, &Metadata::profile(icc)).unwrap();
    bytes
}

/// Returns the first frame of a file, as stored.
pub(crate) fn picture(bytes: &[u8]) -> Picture {
    let budget = Budget::new(&Limits::default());
    let source: &dyn ByteSource = &bytes;
    let mut reader = pipeline::open(pipeline::sniff(source).unwrap(), source, &budget, &Notes::default()).unwrap();
    testkit::read_all(&mut *reader).unwrap()
}

/// Returns every frame of a file, as stored.
pub(crate) fn frames(bytes: &[u8]) -> Vec<Picture> {
    let budget = Budget::new(&Limits::default());
    let mut reader = pipeline::open(pipeline::sniff(&bytes).unwrap(), &bytes, &budget, &Notes::default()).unwrap();
    let mut pictures = Vec::new();
    while let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE).unwrap() {
        let mut picture = Picture::blank(frame.info.size, frame.info.row_format.in_colors());
        let len = picture.row_bytes();
        picture.rows.chunks_exact_mut(len).for_each(|row| frame.rows.read_row(row).unwrap());
        pictures.push(picture);
    }
    pictures
}

/// Runs a job on a file in memory.
pub(crate) fn run(bytes: &[u8], job: &Job) -> Result<(Vec<u8>, Report)> {
    let mut out = Vec::new();
    let report = pipeline::run(&bytes, &mut out, job, &mut |_, _| {})?;
    Ok((out, report))
}

/// Runs a job on a file in memory, and on rows that a decoder elsewhere sends. Both results are the same.
pub(crate) fn run_here_and_apart(bytes: &[u8], job: &Job) -> (Vec<u8>, Vec<Warning>) {
    let (out, report) = run(bytes, job).unwrap();
    let mut rows = Vec::new();
    finished(pipeline::decode_in_steps(&bytes, &mut rows, true, &Limits::default())).unwrap();
    let (of_rows, other) = run(&rows, job).unwrap();
    assert!(out == of_rows, "rows of another worker make another file");
    assert_eq!(report.warnings, other.warnings);
    (out, report.warnings)
}

/// Returns a job that resizes the whole upright picture of that size.
pub(crate) fn job(from: Size, target: Size, format: Format) -> Job {
    with_part(from, format, |part| Part { target, ..part })
}

/// Returns a job of one part, which `change` makes from the whole picture.
pub(crate) fn with_part(from: Size, format: Format, change: impl Fn(Part) -> Part) -> Job {
    Job { parts: vec![change(Part::whole(from))], ..Job::whole(from, Encoding::new(format).unwrap()) }
}

/// Returns a PNG of the picture with this orientation in an eXIf chunk.
pub(crate) fn oriented(picture: &Picture, orientation: Orientation) -> Vec<u8> {
    let mut exif = b"eXIfII\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation.exif(), 0, 0, 0, 0, 0, 0, 0]);
    let mut png = file(picture, Format::Png);
    let after_header = 8 + 25;
    let mut chunk = ((exif.len() - 4) as u32).to_be_bytes().to_vec();
    chunk.extend(&exif);
    chunk.extend(crc32fast::hash(&exif).to_be_bytes());
    png.splice(after_header..after_header, chunk);
    png
}

/// Returns the picture turned upright, pixel by pixel.
pub(crate) fn upright(stored: &Picture, orientation: Orientation) -> Picture {
    let mut turned = Picture::blank(orientation.turn(stored.size), stored.pixels);
    for y in 0..stored.size.height {
        for x in 0..stored.size.width {
            let (to_x, to_y) = orientation.upright_position((x, y), stored.size);
            for channel in 0..stored.pixels.channels.count() {
                turned.set_sample(to_x, to_y, channel, stored.sample(x, y, channel));
            }
        }
    }
    turned
}

/// Returns a colour profile of that many bytes, without a tag.
pub(crate) fn long_profile(len: u32) -> Vec<u8> {
    let mut profile = vec![7; len as usize];
    profile[..132].fill(0);
    profile[..4].copy_from_slice(&len.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    profile
}
