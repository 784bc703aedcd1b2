//! Written files are read by libpng with the same pixels in every layout, and by our reader byte for byte.

use codec_png::{Options, create, open};
use raster::{
    Budget, Channels, Depth, Effort, Error, FrameHeader, Limit, Limits, Metadata, Notes, PixelFormat, Size,
    rows::ImageSpec,
};
use testkit::{Picture, Wide, generate, read_all, write_with};

use crate::oracle;

const EFFORTS: [Effort; 3] = [Effort::Fast, Effort::Default, Effort::Smallest];

fn layouts() -> impl Iterator<Item = PixelFormat> {
    let channels = [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba];
    channels.into_iter().flat_map(|c| [Depth::Eight, Depth::Sixteen].map(|depth| PixelFormat::new(c, depth)))
}

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn encode(picture: &Picture, icc: Option<&[u8]>, effort: Effort) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = budget();
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let options = Options { effort, ..Options::default() };
    write_with(create(&mut file, &spec, &options).unwrap(), picture, &Metadata::profile(icc)).unwrap();
    file
}

#[test]
fn every_layout_size_and_effort_is_read_back_exactly() {
    let with_oracle = oracle::is_there();
    for pixels in layouts() {
        for size in [(1, 1), (7, 1), (1, 9), (33, 17), (300, 200)].map(|(w, h)| Size::new(w, h)) {
            for (i, effort) in EFFORTS.into_iter().enumerate() {
                let pictures = [generate::noise(size, pixels, i as u64), generate::zone_plate(size, pixels)];
                for picture in pictures {
                    let file = encode(&picture, None, effort);
                    let budget = budget();
                    let notes = Notes::default();
                    let mut reader = open(&file, &budget, &notes).unwrap();
                    let name = format!("{pixels:?} {size} {effort:?}");
                    let read = read_all(&mut *reader).unwrap();
                    // A palette of opaque colours needs no alpha.
                    let needs_alpha = picture.pixels.is_transparent(&picture.rows);
                    assert!(read.pixels == pixels || read.pixels == PixelFormat::RGB8 && !needs_alpha, "{name}");
                    assert_eq!(Wide::of(&picture).first_difference(&Wide::of(&read)), None, "{name}");
                    assert_eq!(notes.warnings(), []);
                    if with_oracle && size.area() > 1000 {
                        let theirs = oracle::read(&file).unwrap();
                        assert_eq!(Wide::of(&picture).first_difference(&theirs), None, "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_profile_is_read_back_byte_for_byte() {
    let mut profile: Vec<u8> = (0..3000_u32).map(|i| ((i * i) >> 3) as u8).collect();
    profile[..4].copy_from_slice(&3000_u32.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    let file = encode(&generate::gradient(Size::new(5, 5), PixelFormat::RGB8), Some(&profile), Effort::Default);
    assert_eq!(
        open(&file, &budget(), &Notes::default()).unwrap().info().metadata.icc.as_deref(),
        Some(profile.as_slice())
    );
}

#[test]
fn long_pictures_are_written_in_chunks_of_64_kib() {
    let file = encode(&generate::noise(Size::new(500, 400), PixelFormat::RGB8, 5), None, Effort::Fast);
    let mut lengths = Vec::new();
    let mut at = 8;
    while at < file.len() {
        let length = u32::from_be_bytes(*file[at..].first_chunk().unwrap()) as usize;
        lengths.push((file[at + 4..at + 8].to_vec(), length));
        at += 12 + length;
    }
    let data: Vec<usize> = lengths.iter().filter(|(kind, _)| kind == b"IDAT").map(|(_, length)| *length).collect();
    assert!(data.len() == 10 && data[..9].iter().all(|&length| length == 65_536), "{data:?}");
}

#[test]
fn impossible_sizes_and_a_small_budget_are_errors() {
    let budget = budget();
    let order = |size| ImageSpec::single(size, PixelFormat::GRAY8, &budget);
    let frame = FrameHeader::new(Size::new(2, 2), PixelFormat::GRAY8);
    let mut sink = Vec::new();
    for size in [Size::new(0, 1), Size::new(1, 0), Size::new(1_000_001, 1)] {
        assert!(matches!(create(&mut sink, &order(size), &Options::default()), Err(Error::Limit(_))));
    }
    let poor = Budget::new(&Limits { memory: 1000 });
    let spec = ImageSpec::single(frame.size, frame.pixels, &poor);
    let refused = create(&mut sink, &spec, &Options::default());
    assert!(matches!(refused, Err(Error::Limit(Limit::Memory { .. }))));
}
