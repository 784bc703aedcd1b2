//! The density that a job states, in every format that can hold one and under every policy.

use pipeline::{Changes, Job, Policy};
use raster::{Format, Limits, Metadata, Notes, PixelFormat, Resolution, Size};
use testkit::generate;

use crate::shared::{file, job, picture, run};

const SIZE: Size = Size::new(40, 30);
const TARGET: Size = Size::new(20, 15);

/// Returns an EXIF block that states 72 pixels per inch.
fn exif() -> Vec<u8> {
    let mut block = ifd::Builder::new(ifd::Order::Little);
    block.rational(0x011A, [72, 1]);
    block.rational(0x011B, [72, 1]);
    block.shorts(0x0128, &[2]);
    block.text(ifd::tag::ARTIST, "Ann");
    block.into_block().unwrap()
}

const XMP: &str = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
    xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:XResolution='72/1' tiff:Make='Maker'/></rdf:RDF></x:xmpmeta>";

/// Returns a JPEG whose JFIF, EXIF and XMP segments state 72 pixels per inch.
fn source() -> Vec<u8> {
    let metadata = Metadata {
        exif: Some(exif()),
        xmp: Some(XMP.as_bytes().to_vec()),
        resolution: Some(Resolution { x: 72.0, y: 72.0 }),
        ..Metadata::default()
    };
    let shown = picture(&file(&generate::gradient(SIZE, PixelFormat::RGB8), Format::Png));
    let (mut bytes, budget) = (Vec::new(), raster::Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(SIZE, shown.pixels, &budget);
    let writer = pipeline::Encoding::new(Format::Jpeg).unwrap().create(&mut bytes, &spec).unwrap();
    testkit::write_with(writer, &shown, &metadata).unwrap();
    bytes
}

fn header(bytes: &[u8]) -> Metadata {
    let info = pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap();
    (*info.metadata).clone()
}

/// Returns the density that EXIF states.
fn of_exif(metadata: &Metadata) -> Option<f64> {
    let (block, first) = ifd::Block::open(metadata.exif.as_deref()?, 0)?;
    let entries = block.entries(first)?;
    let at = block.value(entries.iter().find(|entry| entry.tag == 0x011A)?)?.start;
    Some(f64::from(block.u32_at(at)?) / f64::from(block.u32_at(at + 4)?))
}

#[test]
fn a_job_states_the_density_in_every_part_of_the_file() {
    let source = source();
    for format in [Format::Jpeg, Format::Png, Format::Tiff, Format::Bmp] {
        for policy in Policy::ALL {
            let job = Job { metadata: policy, density: Some(300.0), ..job(SIZE, TARGET, format) };
            let (out, _) = run(&source, &job).unwrap();
            let metadata = header(&out);
            let Resolution { x, y } = metadata.resolution.unwrap();
            // PNG and BMP count per metre.
            assert!((x - 300.0).abs() < 0.02 && x == y, "{format} {policy:?}: {x} × {y}");
            assert!(of_exif(&metadata).is_none_or(|density| density == 300.0), "{format} {policy:?}");
            assert_eq!(of_exif(&metadata).is_some(), policy != Policy::Nothing && format != Format::Bmp);
            let xmp = String::from_utf8(metadata.xmp.unwrap_or_default()).unwrap();
            assert!(!xmp.contains("XResolution"), "{xmp}");
            assert_eq!(xmp.contains("Maker"), policy != Policy::Nothing && format != Format::Bmp);
        }
    }
}

#[test]
fn without_a_wish_the_density_follows_the_policy() {
    let source = source();
    for (policy, expected) in
        [(Policy::Everything, Some(72.0)), (Policy::WithoutLocation, Some(72.0)), (Policy::Nothing, None)]
    {
        let (out, _) = run(&source, &Job { metadata: policy, ..job(SIZE, TARGET, Format::Jpeg) }).unwrap();
        assert_eq!(header(&out).resolution.map(|density| density.x), expected, "{policy:?}");
    }
}

#[test]
fn a_copy_gets_a_segment_for_the_density_if_it_has_none() {
    let jfif = file(&generate::gradient(SIZE, PixelFormat::RGB8), Format::Jpeg);
    let bare = [&jfif[..2], &jfif[20..]].concat();
    for (density, expected) in [(Some(300.0), Some(300.0)), (None, None)] {
        let mut copy = Vec::new();
        pipeline::relabel(&bare, &mut copy, &Changes { density, ..Policy::Everything.into() }, &Limits::default())
            .unwrap();
        assert_eq!(header(&copy).resolution.map(|density| density.x), expected);
        assert_eq!(copy.len(), bare.len() + if density.is_some() { 18 } else { 0 });
        assert!(picture(&copy) == picture(&bare));
    }
}

#[test]
fn a_copy_states_the_density_and_keeps_its_pixels() {
    let source = source();
    for policy in Policy::ALL {
        let mut copy = Vec::new();
        pipeline::relabel(&source, &mut copy, &Changes { density: Some(300.0), ..policy.into() }, &Limits::default())
            .unwrap();
        let metadata = header(&copy);
        assert_eq!(metadata.resolution, Some(Resolution { x: 300.0, y: 300.0 }), "{policy:?}");
        assert!(of_exif(&metadata).is_none_or(|density| density == 300.0), "{policy:?}");
        assert!(picture(&copy) == picture(&source), "{policy:?}");
    }
}
