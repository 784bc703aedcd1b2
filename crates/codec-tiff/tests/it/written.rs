//! Written files are read by libtiff (its tools copy the decoded pixels behind eight bytes of header), ImageMagick and
//! exiftool. When a tool is missing, the test prints a message and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use codec_tiff::{Compression, Options, create};
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat,
    Resolution, Result, Sequence, Size,
};
use testkit::Picture;
use testkit::generate::{gradient, noise, zone_plate};
use testkit::witness::exiftool;

const CODES: [Compression; 3] = [Compression::None, Compression::Lzw, Compression::Deflate];

fn write(pages: &[(&Picture, &Metadata)], compression: Compression) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    write_into(&mut file, pages, compression)?;
    Ok(file)
}

fn write_into(sink: &mut dyn ByteSink, pages: &[(&Picture, &Metadata)], compression: Compression) -> Result<()> {
    let budget = Budget::new(&Limits { memory: 16 << 20 });
    let Picture { size, pixels, .. } = *pages[0].0;
    let frames = pages.len() as u32;
    let spec = ImageSpec { frames, sequence: Sequence::Pages, ..ImageSpec::single(size, pixels, &budget) };
    let mut writer = create(sink, &spec, &Options { compression })?;
    for (picture, metadata) in pages {
        writer.begin_frame(&picture.header(), metadata)?;
        (0..picture.size.height).try_for_each(|y| writer.write_row(picture.row(y)))?;
    }
    writer.finish()
}

fn one(picture: &Picture, compression: Compression) -> Vec<u8> {
    write(&[(picture, &Metadata::default())], compression).unwrap()
}

/// Returns the path of a file for the running test.
fn path(name: &str) -> PathBuf {
    let (process, thread) = (std::process::id(), std::thread::current());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{process}-{}-{name}", thread.name().unwrap()))
}

/// Runs a tool, which must succeed without output on stderr. Returns `None` with a message when it is missing.
fn run(tool: &str, arguments: &[&str]) -> Option<Output> {
    let Ok(output) = Command::new(tool).args(arguments).output() else {
        eprintln!("SKIPPED: no {tool} on PATH");
        return None;
    };
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && messages.is_empty(), "{tool} {arguments:?}: {messages}");
    Some(output)
}

/// Returns the pixels of a page as libtiff decodes them, after it has read every directory without a warning.
fn libtiff(file: &[u8], page: usize) -> Option<Vec<u8>> {
    let (ours, theirs) = (path("ours.tif"), path("theirs.tif"));
    fs::write(&ours, file).unwrap();
    run("tiffinfo", &[ours.to_str().unwrap()])?;
    let page = format!("{},{page}", ours.display());
    run("tiffcp", &["-c", "none", "-r", "1000000", &page, theirs.to_str().unwrap()])?;
    Some(fs::read(theirs).unwrap()[8..].to_vec())
}

fn layouts() -> impl Iterator<Item = PixelFormat> {
    let channels = [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba];
    channels.into_iter().flat_map(|channels| [Depth::Eight, Depth::Sixteen].map(|d| PixelFormat::new(channels, d)))
}

#[test]
fn libtiff_reads_every_layout_code_and_size() {
    let sizes = [(1, 1), (1, 9), (7, 3), (640, 300), (70_000, 3)];
    for pixels in layouts() {
        for (width, height) in sizes {
            let size = Size::new(width, height);
            for picture in [noise(size, pixels, 1), gradient(size, pixels)] {
                for code in CODES {
                    let file = one(&picture, code);
                    let Some(theirs) = libtiff(&file, 0) else { return };
                    assert!(theirs.starts_with(&picture.rows), "{pixels:?} {size} {code:?}");
                }
            }
        }
    }
}

#[test]
fn our_reader_reads_every_layout_and_code() {
    for pixels in layouts() {
        let picture = zone_plate(Size::new(333, 777), pixels);
        for code in CODES {
            let file = one(&picture, code);
            let notes = Notes::default();
            let mut reader = codec_tiff::open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
            assert_eq!(testkit::read_all(&mut *reader).unwrap(), picture, "{pixels:?} {code:?}");
            assert!(notes.warnings().is_empty());
        }
    }
}

#[test]
fn imagemagick_sees_the_same_samples_and_alpha() {
    let Some(imagemagick) = testkit::witness::imagemagick() else { return };
    for pixels in layouts() {
        let picture = noise(Size::new(41, 29), pixels, 3);
        let (ours, bits) = (path("magick.tif"), pixels.depth.bits().to_string());
        fs::write(&ours, one(&picture, Compression::Lzw)).unwrap();
        let map = match pixels.channels {
            Channels::Gray => "gray:-",
            Channels::GrayAlpha => "graya:-",
            Channels::Rgb => "rgb:-",
            _ => "rgba:-",
        };
        let ours = ours.to_str().unwrap();
        let Some(seen) = run(imagemagick, &[ours, "-depth", &bits, "-endian", "LSB", map]) else { return };
        assert!(seen.stdout == picture.rows, "{pixels:?}");
    }
}

#[test]
fn pages_of_any_shape_follow_each_other() {
    let pages: Vec<Picture> =
        layouts().zip(1..).map(|(pixels, n)| noise(Size::new(50 * n, 37 * n), pixels, 5)).collect();
    let none = Metadata::default();
    for code in CODES {
        let file = write(&pages.iter().map(|page| (page, &none)).collect::<Vec<_>>(), code).unwrap();
        for (number, page) in pages.iter().enumerate() {
            let Some(theirs) = libtiff(&file, number) else { return };
            assert!(theirs.starts_with(&page.rows), "page {number}");
        }
        let info = run("tiffinfo", &[path("ours.tif").to_str().unwrap()]).unwrap();
        let info = String::from_utf8_lossy(&info.stdout).into_owned();
        assert_eq!(info.matches("Subfile Type: multi-page document").count(), pages.len());
        assert!(info.contains("Page Number: 7-8"), "{info}");
    }
}

#[test]
fn a_file_of_fewer_pages_than_announced_is_valid() {
    let picture = gradient(Size::new(20, 20), PixelFormat::RGB8);
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec { frames: 5, ..ImageSpec::single(picture.size, picture.pixels, &budget) };
    let mut writer = create(&mut file, &spec, &Options::default()).unwrap();
    writer.begin_frame(&picture.header(), &Metadata::default()).unwrap();
    (0..20).for_each(|y| writer.write_row(picture.row(y)).unwrap());
    writer.finish().unwrap();
    assert_eq!(file, one(&picture, Compression::Lzw));
}

#[test]
fn differences_are_kept_where_they_help_and_only_there() {
    let size = Size::new(400, 400);
    let smooth = gradient(size, PixelFormat::RGB8);
    let mut stripes = noise(Size::new(400, 1), PixelFormat::RGB8, 1);
    (stripes.size, stripes.rows) = (size, stripes.rows.repeat(400));
    let predictor = |picture: &Picture, code| {
        let file = one(picture, code);
        let directory = u32::from_le_bytes(*file[4..].first_chunk().unwrap()) as usize;
        file[directory + 2..].chunks_exact(12).any(|entry| entry[..2] == 317_u16.to_le_bytes())
    };
    for code in [Compression::Lzw, Compression::Deflate] {
        assert!(predictor(&smooth, code), "{code:?}");
        assert!(!predictor(&stripes, code), "{code:?}");
    }
    assert!(!predictor(&smooth, Compression::None));
}

/// A sink that stores only non-zero bytes, so that gigabytes of blank rows take no space; `tiffinfo` reads it as a file
/// with holes.
struct Sparse(fs::File, u64);

impl ByteSink for Sparse {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        use std::os::unix::fs::FileExt as _;
        const BLANK: [u8; 1 << 14] = [0; 1 << 14];
        // Slices are compared many bytes at a time, also in a build that is hardly optimised.
        if bytes.chunks(BLANK.len()).any(|chunk| chunk != &BLANK[..chunk.len()]) {
            self.0.write_all_at(bytes, self.1).unwrap();
        }
        self.1 += bytes.len() as u64;
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        use std::os::unix::fs::FileExt as _;
        self.0.write_all_at(bytes, offset).unwrap();
        Ok(())
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        unreachable!("a writer never rereads")
    }
}

#[test]
fn offsets_have_64_bits_only_above_four_gibibytes() {
    let width = 1_000_000;
    let row_bytes = 8 * u64::from(width);
    for (height, magic) in [(536, b"II\x2a\0"), (537, b"II\x2b\0")] {
        let size = Size::new(width, height);
        let pixels = PixelFormat::new(Channels::Rgba, Depth::Sixteen);
        let path = path("sparse.tif");
        let mut sink = Sparse(fs::File::create(&path).unwrap(), 0);
        let budget = Budget::new(&Limits { memory: 10 << 20 });
        let options = Options { compression: Compression::None };
        let mut writer = create(&mut sink, &ImageSpec::single(size, pixels, &budget), &options).unwrap();
        writer.begin_frame(&FrameHeader::new(size, pixels), &Metadata::default()).unwrap();
        let mut row = vec![0; row_bytes as usize];
        for y in 0..height {
            row[0] = u8::from(y == height - 1);
            writer.write_row(&row).unwrap();
        }
        writer.finish().unwrap();
        assert!(budget.peak() < 9 << 20, "one strip: {}", budget.peak());
        let mut head = [0; 4];
        std::os::unix::fs::FileExt::read_exact_at(&fs::File::open(&path).unwrap(), &mut head, 0).unwrap();
        assert_eq!(head, *magic, "{} bytes", sink.1);
        if let Some(info) = run("tiffinfo", &["-s", path.to_str().unwrap()]) {
            let info = String::from_utf8_lossy(&info.stdout).into_owned();
            assert!(info.contains(&format!("Image Width: {width} Image Length: {height}")));
            let last = 16 + u64::from(height - 1) * row_bytes;
            assert!(info.contains(&format!("[{last:8}, {row_bytes:8}]")), "the last strip is at {last}");
        }
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn other_programs_read_every_description() {
    let picture = gradient(Size::new(30, 20), PixelFormat::RGB8);
    // The parts of a profile that exiftool requires: its length, and a table of one tag.
    let mut icc: Vec<u8> = (0..1001_u32).map(|i| (i * 7) as u8).collect();
    icc[..4].copy_from_slice(&1001_u32.to_be_bytes());
    icc[128..144].copy_from_slice(b"\0\0\0\x01test\0\0\0\x90\0\0\x03\x59");
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' dc:source='here'/>\
        </rdf:RDF></x:xmpmeta>";
    let iptc = b"\x1c\x02\x5a\x00\x05Paris";
    let metadata = Metadata {
        icc: Some(icc.clone()),
        xmp: Some(xmp.to_vec()),
        iptc: Some(iptc.to_vec()),
        resolution: Some(Resolution { x: 300.0, y: 72.123_45 }),
        exif: None,
        ..Metadata::default()
    };
    let file = write(&[(&picture, &metadata)], Compression::Lzw).unwrap();
    assert!(libtiff(&file, 0).is_none_or(|pixels| pixels.starts_with(&picture.rows)));
    let path = path("described.tif");
    fs::write(&path, &file).unwrap();
    let path = path.to_str().unwrap();
    let Some(output) = run("exiftool", &["-s3", "-XMP:Source", "-IPTC:City", "-XResolution", "-YResolution", path])
    else {
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "here\nParis\n300\n72.1235\n");
    assert_eq!(run("exiftool", &["-b", "-ICC_Profile", path]).unwrap().stdout, icc);
    assert_eq!(run("exiftool", &["-b", "-XMP", path]).unwrap().stdout, xmp);
}

#[test]
fn our_reader_returns_every_description() {
    let Some(photos) = testkit::corpus::photos() else { return };
    let exif = photos.iter().find_map(|photo| exif_of_jpeg(&fs::read(photo).unwrap())).unwrap();
    let picture = gradient(Size::new(30, 20), PixelFormat::RGB8);
    let icc = {
        let mut icc = vec![1; 200];
        icc[..4].copy_from_slice(&200_u32.to_be_bytes());
        icc[16..20].copy_from_slice(b"RGB ");
        icc[36..40].copy_from_slice(b"acsp");
        icc
    };
    let metadata = Metadata {
        icc: Some(icc),
        xmp: Some(b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".to_vec()),
        iptc: Some(b"\x1c\x02\x5a\x00\x05Paris".to_vec()),
        resolution: Some(Resolution { x: 300.0, y: 72.5 }),
        exif: Some(exif),
        ..Metadata::default()
    };
    let file = write(&[(&picture, &metadata)], Compression::Deflate).unwrap();
    let back =
        codec_tiff::open(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap().info().metadata.clone();
    assert_eq!(Metadata { exif: None, ..(*back).clone() }, Metadata { exif: None, ..metadata.clone() });
    // A TIFF keeps EXIF in its own directories; the reader makes a block of them, which stays the same from then on.
    let again = write(&[(&picture, &back)], Compression::Deflate).unwrap();
    let third =
        codec_tiff::open(&again, &Budget::new(&Limits::default()), &Notes::default()).unwrap().info().metadata.clone();
    assert!(back.exif.is_some() && back == third);
}

#[test]
fn an_invalid_resolution_is_left_out() {
    let picture = gradient(Size::new(3, 2), PixelFormat::GRAY8);
    let plain = one(&picture, Compression::None);
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-9] {
        let metadata = Metadata { resolution: Some(Resolution { x: odd, y: 72.0 }), ..Metadata::default() };
        assert_eq!(write(&[(&picture, &metadata)], Compression::None).unwrap(), plain, "{odd}");
    }
}

/// Returns the EXIF block of a JPEG file, from its APP1 segment.
fn exif_of_jpeg(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut at = 2;
    while let [0xFF, marker, high, low] = *bytes.get(at..at + 4)? {
        let len = usize::from(u16::from_be_bytes([high, low]));
        let body = bytes.get(at + 4..at + 2 + len)?;
        if marker == 0xE1 && body.starts_with(b"Exif\0\0") {
            return Some(body[6..].to_vec());
        }
        if marker == 0xDA {
            break;
        }
        at += 2 + len;
    }
    None
}

/// Returns the tags of files as exiftool prints them, values as text, without tags that a new file must not have.
fn tags(files: &[PathBuf]) -> Option<Vec<Vec<String>>> {
    let groups = ["-ExifIFD:all", "-GPS:all", "-InteropIFD:all", "-MakerNotes:all", "-Warning"];
    let descriptive =
        ["-IFD0:Make", "-IFD0:Model", "-IFD0:Software", "-IFD0:ModifyDate", "-IFD0:Artist", "-IFD0:Copyright"];
    let mut tags = exiftool(&[&["-a", "-G1", "-s"][..], &groups, &descriptive].concat(), files)?;
    // exiftool prints the position of a preview from the start of the file, which in a JPEG is not that of the block.
    tags.iter_mut().for_each(|lines| lines.retain(|line| !line.contains("PreviewImageStart")));
    Some(tags)
}

/// The directories of each photograph are preserved whole, including maker notes with their own offsets.
#[test]
fn exiftool_reads_the_same_exif_out_of_every_photograph() {
    let Some(photos) = testkit::corpus::photos() else { return };
    let picture = gradient(Size::new(8, 8), PixelFormat::RGB8);
    let (mut sources, mut results) = (Vec::new(), Vec::new());
    for (i, photo) in photos.into_iter().enumerate() {
        let Some(exif) = exif_of_jpeg(&fs::read(&photo).unwrap()) else { continue };
        let metadata = Metadata { exif: Some(exif), ..Metadata::default() };
        let path = path(&format!("photo-{i}.tif"));
        fs::write(&path, write(&[(&picture, &metadata)], Compression::None).unwrap()).unwrap();
        sources.push(photo);
        results.push(path);
    }
    let (Some(before), Some(after)) = (tags(&sources), tags(&results)) else { return };
    let mut wrong = Vec::new();
    for ((photo, before), after) in sources.iter().zip(&before).zip(&after) {
        let lost: Vec<_> = before.iter().filter(|tag| !after.contains(tag)).collect();
        if !lost.is_empty() || before.len() != after.len() {
            wrong.push(format!("{}: {} to {} tags, lost {lost:?}", photo.display(), before.len(), after.len()));
        }
    }
    eprintln!("{} photographs", sources.len());
    assert!(wrong.is_empty() && !sources.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_page_without_size_is_refused() {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let single = |size, pixels| ImageSpec::single(size, pixels, &budget);
    let refusal = |file: &mut Vec<u8>, spec: &ImageSpec<'_>| {
        create(file, spec, &Options::default()).err().map(|error| error.code())
    };
    assert_eq!(refusal(&mut file, &single(Size::new(0, 1), PixelFormat::RGB8)), Some("no-size"));
}
