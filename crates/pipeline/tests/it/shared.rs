//! Pictures into files and back.

use pipeline::{Encoding, Job, Part, Report};
use raster::{Budget, ByteSource, Format, ImageSpec, Limits, Metadata, Result, Size};
use testkit::Picture;

/// The picture as a file of that format, at quality 95 where that means something.
pub(crate) fn file(picture: &Picture, format: Format) -> Vec<u8> {
    file_with_profile(picture, format, None)
}

/// The same with a colour profile.
pub(crate) fn file_with_profile(picture: &Picture, format: Format, icc: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let budget = Budget::new(&Limits::default());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let mut encoding = Encoding::new(format).unwrap();
    if let Encoding::Jpeg(options) = &mut encoding {
        options.quality = Some(95);
    }
    let writer = encoding.create(&mut bytes, &spec).unwrap();
    testkit::write_with(writer, picture, &Metadata::profile(icc)).unwrap();
    bytes
}

/// The first frame of a file, as stored.
pub(crate) fn picture(bytes: &[u8]) -> Picture {
    let budget = Budget::new(&Limits::default());
    let source: &dyn ByteSource = &bytes;
    let mut reader = pipeline::open(pipeline::sniff(source).unwrap(), source, &budget).unwrap();
    testkit::read_all(&mut *reader).unwrap()
}

/// Runs a job on a file in memory.
pub(crate) fn run(bytes: &[u8], job: &Job) -> Result<(Vec<u8>, Report)> {
    let mut out = Vec::new();
    let report = pipeline::run(&bytes, &mut out, job, &mut |_, _| {})?;
    Ok((out, report))
}

/// The whole upright picture of that size, resized.
pub(crate) fn job(from: Size, target: Size, format: Format) -> Job {
    with_part(from, format, |part| Part { target, ..part })
}

/// One part of a picture, made from the whole.
pub(crate) fn with_part(from: Size, format: Format, change: impl Fn(Part) -> Part) -> Job {
    Job { parts: vec![change(Part::whole(from))], ..Job::whole(from, Encoding::new(format).unwrap()) }
}
