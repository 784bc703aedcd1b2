//! Pictures of 12 bits and lossless ones.

use raster::{Budget, Depth, Limits, Notes, Size, Warning};
use testkit::generate::Lcg;
use testkit::{Picture, SplitSource, corpus, memory, read_all, sha256};

use testkit::lossless_jpeg::{self, Component, Way};

const PLAIN: Way = Way { precision: 8, predictor: 1, low: 0, restart: 0, is_interleaved: true };

fn read(jpeg: &[u8]) -> raster::Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let source = SplitSource::new(jpeg, 3);
    let mut reader = codec_jpeg::open(&source, &Budget::new(&Limits::default()), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

/// Returns waves with noise, with samples of a precision whose lowest `low` bits are 0.
fn component(size: (usize, usize), factors: (usize, usize), way: Way, seed: u64) -> Component {
    let mut random = Lcg::new(seed);
    let top = u32::from(way.precision);
    let mut row = |y: usize| -> Vec<u16> {
        let sample = |x: usize| {
            let wave = (x * x * 3 + y * y * 5 + x * y) as u32 & 0xFFFF;
            let noisy = if random.below(9) == 0 { random.below(0x1_0000) } else { wave };
            (noisy >> (16 - top)) as u16 >> way.low << way.low
        };
        (0..size.0).map(sample).collect()
    };
    Component { factors, rows: (0..size.1).map(&mut row).collect() }
}

/// Returns a sample scaled to 8 bits, or to 16 if it has more.
fn scaled(sample: u16, precision: u8) -> u16 {
    let (max, full) = ((1_u32 << precision) - 1, if precision > 8 { 65_535 } else { 255 });
    ((u32::from(sample) * full + max / 2) / max) as u16
}

#[test]
fn lossless_files_give_their_samples_back() {
    let size = (23, 14);
    for precision in [2, 7, 8, 9, 12, 16] {
        for predictor in 1..=7 {
            for (low, restart, is_interleaved) in [(0, 0, true), (1, 0, false), (0, 3, true), (0, 5, false)] {
                let way = Way { precision, predictor, low, restart, is_interleaved };
                for count in [1, 3] {
                    let components: Vec<_> = (0..count).map(|seed| component(size, (1, 1), way, seed)).collect();
                    let (got, warnings) = read(&lossless_jpeg::write(size, &components, way)).unwrap();
                    let want = |y: usize| {
                        let places = (0..size.0).flat_map(|x| components.iter().map(move |c| c.rows[y][x]));
                        places.map(|sample| scaled(sample, precision)).collect::<Vec<u16>>()
                    };
                    assert_eq!(got.samples(), (0..size.1).flat_map(want).collect::<Vec<u16>>(), "{way:?} {count}");
                    assert_eq!(warnings, [], "{way:?} {count}");
                }
            }
        }
    }
}

#[test]
fn components_of_lossless_files_with_fewer_samples_are_repeated() {
    let size = (20, 12);
    for (is_interleaved, restart) in [(true, 0), (true, 2), (false, 0)] {
        let way = Way { precision: 10, predictor: 4, is_interleaved, restart, ..PLAIN };
        let components =
            [component(size, (2, 2), way, 1), component((10, 12), (1, 2), way, 2), component((10, 6), (1, 1), way, 3)];
        let (got, warnings) = read(&lossless_jpeg::write(size, &components, way)).unwrap();
        assert_eq!(warnings, []);
        for (y, x) in (0..12).flat_map(|y| (0..20).map(move |x| (y, x))) {
            let stored = [components[0].rows[y][x], components[1].rows[y][x / 2], components[2].rows[y / 2][x / 2]];
            let pixel = [0, 1, 2].map(|channel| got.sample(x as u32, y as u32, channel));
            assert_eq!(pixel, stored.map(|sample| scaled(sample, 10)), "{way:?} {x} {y}");
        }
    }
}

#[test]
fn damaged_lossless_files_are_read_as_far_as_they_go() {
    let way = Way { precision: 16, predictor: 7, restart: 1, ..PLAIN };
    let size = (40, 30);
    let whole = lossless_jpeg::write(size, &[component(size, (1, 1), way, 1)], way);
    let (picture, _) = read(&whole).unwrap();
    let (part, warnings) = read(&whole[..whole.len() / 2]).unwrap();
    let [Warning::Truncated { rows, of: 30 }] = warnings[..] else { panic!("{warnings:?}") };
    assert!((12..=17).contains(&rows), "{rows} rows");
    let good = picture.row_bytes() * (rows as usize - 1);
    assert_eq!(part.rows[..good], picture.rows[..good]);

    let marker = whole.windows(2).position(|pair| pair == [0xFF, 0xD4]).unwrap();
    let (part, warnings) = read(&[&whole[..marker], &whole[marker + 2..]].concat()).unwrap();
    assert_eq!(warnings, [Warning::Truncated { rows: 30, of: 30 }]);
    assert_eq!((part.row(4), part.row(6)), (picture.row(4), picture.row(6)), "rows around the lost one");

    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        let _ = (read(&changed), read(&whole[..at]));
    }
}

#[test]
fn predictions_that_do_not_exist_are_refused() {
    let size = (8, 8);
    let file = lossless_jpeg::write(size, &[component(size, (1, 1), PLAIN, 1)], PLAIN);
    let scan = file.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap();
    for (predictor, low, is_sound) in [(1, 0, true), (7, 7, true), (0, 0, false), (8, 0, false), (1, 8, false)] {
        let mut changed = file.clone();
        (changed[scan + 7], changed[scan + 9]) = (predictor, low);
        assert_eq!(read(&changed).is_ok(), is_sound, "{predictor} {low}");
    }
}

#[test]
fn memory_of_lossless_files_is_charged_before_it_is_used() {
    let way = Way { precision: 16, is_interleaved: false, ..PLAIN };
    let size = (300, 200);
    let file = lossless_jpeg::write(size, &[1, 2, 3].map(|seed| component(size, (1, 1), way, seed)), way);
    memory::counted("a lossless JPEG", &Limits::default(), |budget| {
        memory::read(codec_jpeg::open, &file, budget, u64::MAX).unwrap();
    });
    let budget = |memory| Budget::new(&Limits { memory });
    let need = codec_jpeg::open(&file, &budget(u64::MAX), &Notes::default()).unwrap().info().working_set;
    for (memory, is_enough) in [(need, true), (need - 1, false)] {
        let budget = budget(memory);
        let mut reader = codec_jpeg::open(&file, &budget, &Notes::default()).unwrap();
        assert_eq!(read_all(&mut *reader).is_ok(), is_enough);
    }
}

/// SHA-256 of the samples that libjpeg-turbo 3.1.3 gives, scaled to 16 bits.
const FILES: [(&str, &str); 12] = [
    ("jpeg-decoder-lossless/MR4.jpg", "8d2ed6306c74193e290e258213da6bcfc15936fab3fff49b302ba8c5592d5ccc"),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel1.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel2.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel3.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel4.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel5.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel6.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    (
        "jpeg-decoder-lossless/jpeg_lossless_sel7.jpg",
        "1ec00c6c088ec7afeb2361771aba5a4a12a4cfb765380993c37377edcd5616cb",
    ),
    ("libjpeg-turbo/monkey12.jpg", "e4f767d385132747ca94dcef9537156177f501a51e4afc5aebbd026ed30ef205"),
    ("mozjpeg/testorig12.jpg", "f8b9a56431ff95af45d1d059ffcb1a489cd4f685389ee2a489c4fe9683f240d8"),
    (
        "seed-corpora-bugs/12bit-random12_100x91_islow_4x1_2x2_1x2_Q100_99_98_rst2.jpg",
        "0d40e5cca0feacff9e04ce8240d07deafd1f3704f7667d9cdcffd761346b1e7e",
    ),
    (
        "seed-corpora-bugs/12bit-random12_99x92_ifast_rgb_420_Q90_80_70_smooth50.jpg",
        "7d6d721651c5edfbb351bd1ae80134405d5f86e063b05259f6f6cdaa5264ae11",
    ),
];

#[test]
fn files_of_the_corpus_have_the_samples_of_libjpeg_turbo_3() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    for (name, want) in FILES {
        let row = rows.iter().find(|row| row.name.ends_with(name)).unwrap();
        let (picture, warnings) = read(&row.bytes()).unwrap();
        let size = row.size.map(|(width, height)| Size::new(width, height));
        assert_eq!((Some(picture.size), warnings), (size, Vec::new()), "{name}");
        assert_eq!(picture.pixels.depth, Depth::Sixteen, "{name}");
        assert_eq!(sha256(&picture.rows), want, "{name}");
    }
}
