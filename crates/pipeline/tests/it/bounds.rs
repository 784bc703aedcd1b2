//! Memory, progress, failing sources, unsupported formats.

use pipeline::{Encoding, Job, Policy};
use raster::{
    Budget, ByteSource, Error, Format, FrameHeader, ImageSpec, IoError, Limits, Metadata, PixelFormat, Result, Size,
    Warning,
};
use testkit::{FailingSource, SplitSource, generate, memory};

use crate::shared::{file, file_with_profile, job, long_profile, run};

/// A raw picture that is generated while it is read: any height, flat rows.
struct Endless {
    header: Vec<u8>,
    size: Size,
}

impl Endless {
    fn new(size: Size) -> Self {
        let (mut header, budget) = (Vec::new(), Budget::new(&Limits::default()));
        let frame = FrameHeader::new(size, PixelFormat::RGB8);
        let spec = ImageSpec::single(size, frame.pixels, &budget);
        let mut writer = Encoding::new(Format::Raw).unwrap().create(&mut header, &spec).unwrap();
        writer.begin_frame(&frame, &Metadata::default()).unwrap();
        drop(writer);
        Self { header, size }
    }

    /// Returns the bytes of a row and its prefix of eight bytes.
    fn block_bytes(&self) -> u64 {
        8 + 3 * u64::from(self.size.width)
    }
}

impl ByteSource for Endless {
    fn byte_len(&self) -> u64 {
        self.header.len() as u64 + self.block_bytes() * u64::from(self.size.height)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let in_header = self.header.as_slice().read_at(offset, into)?;
        let n = into.len().min((self.byte_len() - offset.min(self.byte_len())) as usize);
        into[in_header..n].fill(77);
        let starts_row = offset.checked_sub(self.header.len() as u64).is_some_and(|at| at % self.block_bytes() == 0);
        if starts_row && n >= 8 {
            into[..4].copy_from_slice(b"ROW ");
            into[4..8].copy_from_slice(&(3 * self.size.width).to_le_bytes());
        }
        Ok(n)
    }
}

#[test]
fn memory_grows_with_the_width_and_never_with_the_height() {
    let used = |from: Size, format: Format| {
        let job = job(from, Size::new(640, 480), format);
        let (source, mut file) = (Endless::new(from), Vec::with_capacity(1 << 20));
        let (report, held) = memory::measure(|| pipeline::run(&source, &mut file, &job, &mut |_, _| {}).unwrap());
        assert!(held <= report.memory + memory::SLACK, "{held} bytes are held, {} are charged", report.memory);
        report.memory
    };
    let (low, high) = (used(Size::new(2000, 1000), Format::Png), used(Size::new(2000, 20_000), Format::Png));
    // Only the list of vertical weights grows: about 6 factors of 4 bytes a source row.
    assert!(high - low <= 19_000 * 32, "{low} bytes for 1,000 rows, {high} for 20,000");
    assert!(high < 4 << 20, "{high}");
}

#[test]
fn the_budget_counts_what_a_job_really_allocates() {
    let size = Size::new(900, 700);
    let picture = generate::noise(size, PixelFormat::RGB8, 3);
    let mut wrong = Vec::new();
    for source in [Format::Png, Format::Bmp, Format::Jpeg, Format::Tiff, Format::WebP, Format::Raw] {
        let bytes = file(&picture, source);
        for output in [Format::Png, Format::Bmp, Format::Jpeg, Format::Tiff, Format::WebP, Format::Raw] {
            let (job, mut out) = (job(size, Size::new(500, 400), output), Vec::with_capacity(4 << 20));
            let (report, held) = memory::measure(|| pipeline::run(&bytes, &mut out, &job, &mut |_, _| {}).unwrap());
            if held > report.memory + memory::SLACK {
                wrong.push(format!("{source} to {output}: {held} bytes are held, {} are charged", report.memory));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_budget_counts_the_copies_of_a_long_profile() {
    let size = Size::new(90, 70);
    let picture = generate::noise(size, PixelFormat::RGB8, 3);
    let profile = long_profile(2 << 20);
    let limits = Limits::default();
    let mut wrong = Vec::new();
    let mut check = |what: String, (memory, held): (u64, u64)| {
        if held > memory + memory::SLACK {
            wrong.push(format!("{what}: {held} bytes are held, {memory} are charged"));
        }
    };
    for source in [Format::Png, Format::Jpeg, Format::Tiff] {
        let bytes = file_with_profile(&picture, source, Some(&profile));
        for output in [Format::Png, Format::Jpeg, Format::Tiff] {
            let job = Job { metadata: Policy::WithoutLocation, ..job(size, Size::new(50, 40), output) };
            let mut out = Vec::with_capacity(16 << 20);
            let run = || pipeline::run(&bytes, &mut out, &job, &mut |_, _| {}).unwrap().memory;
            check(format!("{source} to {output}"), memory::measure(run));
        }
        if source != Format::Tiff {
            let mut out = Vec::with_capacity(16 << 20);
            let copy = || pipeline::relabel(&bytes, &mut out, &Policy::WithoutLocation.into(), &limits).unwrap().memory;
            check(format!("copy of {source}"), memory::measure(copy));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_budget_that_is_too_small_is_refused_with_figures() {
    let size = Size::new(2000, 2000);
    let picture = file(&generate::gradient(size, PixelFormat::RGB8), Format::Jpeg);
    let limits = Limits { memory: 1 << 20 };
    let error = run(&picture, &Job { limits, ..job(size, Size::new(100, 100), Format::Png) }).unwrap_err();
    assert!(
        matches!(error, Error::Limit(raster::Limit::Memory { need, have: 0x10_0000 }) if need > 0x10_0000),
        "{error}"
    );
}

#[test]
fn progress_rises_to_the_end_in_about_a_hundred_steps() {
    let size = Size::new(50, 1000);
    let bytes = file(&generate::gradient(size, PixelFormat::RGB8), Format::Png);
    let mut reported = Vec::new();
    let job = job(size, Size::new(10, 200), Format::Png);
    pipeline::run(&bytes, &mut Vec::new(), &job, &mut |done, total| reported.push((done, total))).unwrap();
    assert!((80..=101).contains(&reported.len()), "{}", reported.len());
    assert!(reported.is_sorted_by(|a, b| a.0 < b.0));
    assert_eq!(reported.last(), Some(&(1200, 1200)));
}

#[test]
fn any_split_of_the_reads_gives_the_same_file() {
    let size = Size::new(70, 50);
    for format in [Format::Png, Format::Bmp, Format::Jpeg, Format::Raw] {
        let bytes = file(&generate::zone_plate(size, PixelFormat::RGB8), format);
        let job = job(size, Size::new(30, 20), Format::Png);
        let (want, _) = run(&bytes, &job).unwrap();
        for seed in 0..5 {
            let mut out = Vec::new();
            pipeline::run(&SplitSource::new(&bytes, seed), &mut out, &job, &mut |_, _| {}).unwrap();
            assert_eq!(out, want, "{format} split {seed}");
        }
    }
}

#[test]
fn a_source_that_fails_at_any_position_is_an_io_error() {
    let size = Size::new(300, 200);
    for format in [Format::Png, Format::Bmp, Format::Jpeg, Format::Raw] {
        let bytes = file(&generate::noise(size, PixelFormat::RGB8, 2), format);
        for good in [0, 10, 40, bytes.len() as u64 / 2] {
            let job = job(size, Size::new(30, 20), Format::Png);
            let result = pipeline::run(&FailingSource::new(&bytes, good), &mut Vec::new(), &job, &mut |_, _| {});
            assert!(matches!(result, Err(Error::Io(IoError::Read(_)))), "{format} after {good}: {result:?}");
        }
    }
}

#[test]
fn a_format_that_is_not_written_here_is_refused_and_a_file_without_boxes_is_malformed() {
    let size = Size::new(8, 8);
    assert_eq!(Encoding::new(Format::Heic).unwrap_err().code(), "unsupported");
    let picture = file(&generate::noise(size, PixelFormat::RGB8, 2), Format::Png);
    assert_eq!(run(&picture, &job(size, size, Format::Avif)).unwrap_err().code(), "unsupported");
    assert_eq!(run(b"\0\0\0\x1Cftypavif\0\0\0\0", &job(size, size, Format::Png)).unwrap_err().code(), "malformed");
    assert_eq!(run(b"", &job(size, size, Format::Png)).unwrap_err().code(), "empty");
}

#[test]
fn a_picture_with_too_few_readable_rows_is_damaged() {
    let size = Size::new(40, 300);
    let whole = file(&generate::noise(size, PixelFormat::RGB8, 5), Format::Bmp);
    let rows_at = u32::from_le_bytes(*whole[10..].first_chunk().unwrap()) as usize;
    let result = |rows: usize| run(&whole[..rows_at + rows * 120], &job(size, Size::new(20, 150), Format::Png));
    for rows in [0, 1, 2] {
        assert_eq!(result(rows).unwrap_err().code(), "malformed", "{rows} rows");
    }
    let (_, report) = result(3).unwrap();
    assert_eq!(report.warnings, [Warning::Truncated { rows: 3, of: 300 }]);
}
