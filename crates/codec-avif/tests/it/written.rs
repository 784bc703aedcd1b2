//! Files around pictures that `avifenc` encodes, read back by this crate, `avifdec` and `exiftool`.

use std::process::Command;

use codec_avif::{Options, create, header};
use raster::{
    Budget, Channels, Depth, EncoderSettings, Error, ImageSpec, Limit, Limits, Metadata, Notes, Picture,
    PictureEncoder, PixelFormat, Result, Sequence, Signal, Size,
};
use testkit::{generate, witness, write_with};

use crate::corpus::decode;
use crate::{avifdec, made};

/// An encoder that keeps every sample, and adds metadata that must not stay.
struct Avifenc;

impl PictureEncoder for Avifenc {
    fn encode(&mut self, picture: &Picture<'_>, _: EncoderSettings, _: &Budget) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let [source, file] = ["source.png", "made.avif"].map(|name| folder.path().join(name));
        let Picture { size, format, pixels } = *picture;
        made::png(&testkit::Picture { size, pixels: format, rows: pixels.to_vec() }, &source);
        let depth = if format.depth == Depth::Eight { "8" } else { "10" };
        let sampling = if format.channels.has_color() { "444" } else { "400" };
        let way = ["--min", "0", "--max", "0", "-d", depth, "-y", sampling, "--cicp", "2/2/6", "--irot", "1"];
        made::avifenc(&[&source], &file, &way).unwrap();
        Ok(std::fs::read(file).unwrap())
    }
}

fn written(picture: &testkit::Picture, metadata: &Metadata) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(create(&mut file, &spec, Options::default(), Avifenc).unwrap(), picture, metadata).unwrap();
    file
}

#[test]
fn pictures_and_their_metadata_come_back() {
    if !made::tools() {
        return;
    }
    let exif = b"II*\0\x08\0\0\0\x01\0\x3b\x01\x02\0\x04\0\0\0Ann\0\0\0\0\0".to_vec();
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".to_vec();
    let metadata = Metadata { exif: Some(exif), xmp: Some(xmp), ..Metadata::default() };
    for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
        for depth in [Depth::Eight, Depth::Sixteen] {
            for metadata in [&Metadata::default(), &metadata] {
                let picture = generate::fading(Size::new(57, 41), PixelFormat::new(channels, depth));
                let file = written(&picture, metadata);
                let budget = Budget::new(&Limits::default());
                let head = header(&file, &budget, &Notes::default()).unwrap();
                let (info, pictures) = decode(&file).unwrap();
                assert_eq!((head.size, head.row_format, &head.metadata), (info.size, info.row_format, &info.metadata));
                assert_eq!((info.size, info.row_format.in_colors()), (picture.size, picture.pixels));
                assert_eq!(info.stored.depth, if depth == Depth::Eight { 8 } else { 10 });
                assert_eq!(*info.metadata, *metadata);
                let off = pictures[0].samples().into_iter().zip(picture.samples()).map(|(a, b)| a.abs_diff(b));
                let furthest = f64::from(off.max().unwrap_or_default()) / f64::from(depth.max());
                assert!(furthest < 4.0 / 255.0, "{channels:?} {depth:?}: {furthest}");
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("written.avif");
                std::fs::write(&path, &file).unwrap();
                avifdec::compare(&path, &info, 0, &pictures[0]).unwrap();
                if let Some(tags) =
                    witness::exiftool(&["-s3", "-Artist", "-ImageSpatialExtent"], std::slice::from_ref(&path))
                {
                    let artist = metadata.exif.as_ref().map(|_| "Ann");
                    assert_eq!(tags[0], ["57x41"].into_iter().chain(artist).collect::<Vec<_>>());
                }
                let strict = Command::new("avifdec").arg("--info").arg(&path).output().unwrap();
                assert!(strict.status.success(), "{}", String::from_utf8_lossy(&strict.stderr));
            }
        }
    }
}

#[test]
fn profiles_and_code_points_describe_the_colours() {
    if !made::tools() {
        return;
    }
    let picture = generate::zone_plate(Size::new(32, 24), PixelFormat::RGB8);
    let icc = color::rgb_profile("P3", &color::P3_D65, &raster::Transfer::Srgb);
    let signal = Signal { code_points: [9, 16, 0, 1], mastering_display: None, light_level: None, has_profile: false };
    for metadata in [Metadata { icc, ..Metadata::default() }, Metadata { signal: Some(signal), ..Metadata::default() }]
    {
        let (info, _) = decode(&written(&picture, &metadata)).unwrap();
        assert_eq!(*info.metadata, metadata);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let picture = generate::zone_plate(Size::new(64, 64), PixelFormat::RGB8);
    let mut file = Vec::new();
    let poor = Budget::new(&Limits { memory: 1000 });
    let spec = ImageSpec::single(picture.size, picture.pixels, &poor);
    let refused = create(&mut file, &spec, Options::default(), Avifenc);
    assert!(matches!(refused.err(), Some(Error::Limit(Limit::Memory { .. }))));
    let budget = Budget::new(&Limits::default());
    let two = ImageSpec {
        frames: 2,
        sequence: Sequence::Animation { plays: 0 },
        ..ImageSpec::single(picture.size, picture.pixels, &budget)
    };
    assert!(matches!(create(&mut file, &two, Options::default(), Avifenc).err(), Some(Error::Unsupported { .. })));
    let long = ImageSpec::single(Size::new(65_537, 1), picture.pixels, &budget);
    assert!(matches!(create(&mut file, &long, Options::default(), Avifenc).err(), Some(Error::Limit(_))));
}
