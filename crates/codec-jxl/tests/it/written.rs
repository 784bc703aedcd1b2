//! Files around pictures that `cjxl` encodes, read back by this crate with and without its decoder, and by `exiftool`.

use codec_jxl::{Options, create, header};
use raster::{
    Budget, Compression, Effort, EncoderSettings, Error, ImageSpec, Limit, Limits, Metadata, Notes, Picture,
    PictureEncoder, PixelFormat, Result, Sequence, Size,
};
use testkit::{generate, witness, write_with};

use crate::corpus::decode;
use crate::made;

/// An encoder that writes bare codestreams.
struct Cjxl;

impl PictureEncoder for Cjxl {
    fn encode(&mut self, picture: &Picture<'_>, settings: EncoderSettings, _: &Budget) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let [source, file] = ["source.png", "made.jxl"].map(|name| folder.path().join(name));
        let Picture { size, format, pixels } = *picture;
        made::png(&testkit::Picture { size, pixels: format, rows: pixels.to_vec() }, &source);
        let distance = if settings.compression == Compression::Lossless { "0" } else { "1" };
        made::cjxl(&source, &file, &["-d", distance, "-e", "3", "--container=0"]);
        Ok(std::fs::read(file).unwrap())
    }
}

const LOSSLESS: Options = Options { is_lossless: true, quality: None, effort: Effort::Default };

fn written(picture: &testkit::Picture, options: Options, metadata: &Metadata) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(create(&mut file, &spec, options, Cjxl).unwrap(), picture, metadata).unwrap();
    file
}

#[test]
fn headers_of_all_forms_are_those_that_the_decoder_reads() {
    if !made::tools() {
        return;
    }
    let exif = b"II*\0\x08\0\0\0\x01\0\x3b\x01\x02\0\x04\0\0\0Ann\0\0\0\0\0".to_vec();
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".to_vec();
    let metadata = Metadata { exif: Some(exif), xmp: Some(xmp), ..Metadata::default() };
    // Multiples of eight and others, in every proportion that has a number, and longer sides.
    let sizes =
        [(8, 8), (16, 40), (96, 80), (160, 120), (120, 80), (256, 144), (100, 80), (64, 32), (57, 41), (1, 700)];
    for (size, pixels) in sizes.into_iter().zip([PixelFormat::RGB8, PixelFormat::RGBA8].into_iter().cycle()) {
        for (options, metadata) in [(LOSSLESS, &metadata), (Options::default(), &Metadata::default())] {
            let picture = generate::fading(Size::new(size.0, size.1), pixels);
            let file = written(&picture, options, metadata);
            let head = header(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
            let (info, pictures) = decode(&file).unwrap();
            assert_eq!((head.size, head.row_format), (picture.size, pixels.into()), "{size:?}");
            assert_eq!((head.size, head.row_format, head.stored), (info.size, info.row_format, info.stored));
            assert_eq!((&head.metadata.exif, &head.metadata.xmp), (&metadata.exif, &metadata.xmp));
            assert_eq!((&info.metadata.exif, &info.metadata.xmp), (&metadata.exif, &metadata.xmp));
            assert!(!options.is_lossless || pictures[0].rows == picture.rows, "{size:?}");
            let path = tempfile::Builder::new().suffix(".jxl").tempfile().unwrap().into_temp_path();
            std::fs::write(&path, &file).unwrap();
            if let Some(tags) = witness::exiftool(&["-s3", "-Artist"], &[path.to_path_buf()]) {
                assert_eq!(tags[0], metadata.exif.iter().map(|_| "Ann").collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn headers_without_the_decoder_state_the_same_sizes() {
    let sound = [0xFF, 0x0A, 0xFA, 0x2C, 0x03, 0x3B, 0x01, 0, 0x4C, 0x80, 0x10, 0, 0xAC];
    let read = |bytes: &[u8]| header(&bytes, &Budget::new(&Limits::default()), &Notes::default());
    assert_eq!(read(&sound).unwrap().size, Size::new(1920, 1440));
    for len in 0..6 {
        assert!(read(&sound[..len]).is_err(), "{len}");
    }
    let Some(rows) = testkit::corpus::rows("jxl") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let (head, (info, _)) = (read(&row.bytes()).unwrap(), decode(&row.bytes()).unwrap());
        let depths = [&head, &info].map(|info| info.row_format.depth());
        assert_eq!((head.size, depths[0]), (info.size, depths[1]), "{}", row.name);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let picture = generate::zone_plate(Size::new(64, 64), PixelFormat::RGB8);
    let mut file = Vec::new();
    let poor = Budget::new(&Limits { memory: 1000 });
    let spec = ImageSpec::single(picture.size, picture.pixels, &poor);
    let refused = create(&mut file, &spec, LOSSLESS, Cjxl);
    assert!(matches!(refused.err(), Some(Error::Limit(Limit::Memory { .. }))));
    let budget = Budget::new(&Limits::default());
    let two = ImageSpec {
        frames: 2,
        sequence: Sequence::Animation { plays: 0 },
        ..ImageSpec::single(picture.size, picture.pixels, &budget)
    };
    assert!(matches!(create(&mut file, &two, LOSSLESS, Cjxl).err(), Some(Error::Unsupported { .. })));
}
