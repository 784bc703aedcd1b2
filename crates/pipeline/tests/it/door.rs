//! A picture that another part of the engine decodes or encodes gives the same result, byte for byte.

use pipeline::{Encoding, Job, Part, Report};
use raster::steps::finished;
use raster::{
    Budget, ByteSource, Depth, Error, Format, ImageInfo, ImageSpec, Limits, Metadata, Notes, PixelFormat, Resolution,
    Result, Sequence, Size, Text,
};
use testkit::{ArrivingSource, Picture, corpus, generate};

use crate::shared::{file_with_profile, run};

const LIMITS: Limits = Limits { memory: 1 << 28 };

/// Returns the file as rows, as a decoder elsewhere writes them.
fn rows_of(file: &[u8]) -> Result<Vec<u8>> {
    let (budget, mut rows) = (Budget::new(&LIMITS), Vec::new());
    let source: &dyn ByteSource = &file;
    let notes = Notes::default();
    let mut reader = pipeline::open(pipeline::sniff(source)?, source, &budget, &notes)?;
    finished(codec_raw::transfer(&mut *reader, None, &mut rows, &budget, &notes))?;
    Ok(rows)
}

/// Returns a typical job for such a file: everything smaller, in the file's format or PNG.
fn job(info: &ImageInfo) -> Job {
    let several = match info.sequence {
        Sequence::Single => 1,
        Sequence::Pages | Sequence::Animation { .. } => info.frames,
        Sequence::Sizes => 1,
    };
    let sizes = |frame: u32| info.frame_sizes.get(frame as usize).copied();
    let upright = info.orientation.turn(info.size);
    let part = |frame| {
        let whole = Part::whole(sizes(frame).unwrap_or(upright));
        let Size { width, height } = whole.target;
        Part { frame, target: Size::new(width.div_ceil(2), height.div_ceil(3)), ..whole }
    };
    let format = match info.format {
        Format::Jpeg | Format::Tiff => info.format,
        _ => Format::Png,
    };
    let several = if several <= 20 { several } else { 1 };
    Job {
        parts: (0..several).map(part).collect(),
        limits: LIMITS,
        ..Job::whole(upright, Encoding::new(format).unwrap())
    }
}

/// Returns the file, and the report without memory. Of malformed files only the cause counts, because the position can
/// be that in the raw rows.
fn outcome(result: Result<(Vec<u8>, Report)>) -> Result<(Vec<u8>, String), String> {
    let (file, report) = result.map_err(|error| match error {
        Error::Malformed { cause, .. } => cause.to_string(),
        other => other.to_string(),
    })?;
    let summary = format!("{} {} {} {:?}", report.format, report.size, report.frames, report.warnings);
    Ok((file, summary))
}

/// Returns the difference between the transferred and the direct result, if the file can be opened at all.
fn difference(file: &[u8]) -> Option<String> {
    let info = pipeline::probe(&file, &LIMITS, &Notes::default()).ok()?;
    if info.gain_map {
        return None; // raw rows carry none
    }
    let job = job(&info);
    let direct = outcome(run(file, &job));
    // A decoder that fails ends the job with its own error.
    let through = outcome(rows_of(file).and_then(|rows| run(&rows, &job)));
    if direct == through {
        return None;
    }
    let summary = |outcome: &Result<(Vec<u8>, String), String>| match outcome {
        Ok((file, summary)) => format!("{} bytes, {summary}", file.len()),
        Err(error) => error.clone(),
    };
    Some(format!("directly {}, with raw rows {}", summary(&direct), summary(&through)))
}

#[test]
fn every_file_of_the_corpus_has_the_same_result_with_raw_rows() {
    let mut wrong = Vec::new();
    for format in ["png", "jpeg", "tiff", "bmp", "ico"] {
        let Some(rows) = corpus::rows(format) else { continue };
        for row in rows {
            if row.size.is_some_and(|(width, height)| u64::from(width) * u64::from(height) > 4_000_000) {
                continue; // it takes seconds
            }
            wrong.extend(difference(&row.bytes()).map(|difference| format!("{}: {difference}", row.name)));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

fn described() -> Metadata {
    Metadata {
        texts: vec![Text::comment("by hand".into())],
        resolution: Some(Resolution { x: 150.0, y: 75.0 }),
        ..Metadata::default()
    }
}

/// Returns an APNG of three frames with metadata.
fn animation() -> Vec<u8> {
    let (mut file, budget, size) = (Vec::new(), Budget::new(&LIMITS), Size::new(40, 30));
    let sequence = Sequence::Animation { plays: 2 };
    let spec = ImageSpec { frames: 3, sequence, ..ImageSpec::single(size, PixelFormat::RGBA8, &budget) };
    let mut writer = Encoding::new(Format::Png).unwrap().create(&mut file, &spec).unwrap();
    for seed in 0..3 {
        let picture = generate::noise(size, PixelFormat::RGBA8, seed);
        let delay = Some(raster::Delay { numerator: 1 + seed as u32, denominator: 30 });
        writer.begin_frame(&raster::FrameHeader { delay, ..picture.header() }, &described()).unwrap();
        (0..size.height).for_each(|y| writer.write_row(picture.row(y)).unwrap());
    }
    writer.finish().unwrap();
    file
}

fn samples() -> Vec<Vec<u8>> {
    let deep = generate::zone_plate(Size::new(97, 61), PixelFormat::new(raster::Channels::Rgba, Depth::Sixteen));
    let ramp = generate::ramp16(Size::new(256, 20));
    let photo = generate::zone_plate(Size::new(120, 90), PixelFormat::RGB8);
    let plain = |picture: &Picture, format| file_with_profile(picture, format, None);
    let small = generate::flat(Size::new(9, 7), PixelFormat::GRAY8, [0.5; 4]);
    vec![
        plain(&small, Format::Png),
        plain(&deep, Format::Png),
        plain(&ramp, Format::Tiff),
        plain(&photo, Format::Jpeg),
        animation(),
    ]
}

#[test]
fn generated_files_have_the_same_result_with_raw_rows() {
    for (i, file) in samples().iter().enumerate() {
        assert_eq!(difference(file), None, "file {i}");
    }
}

#[test]
fn a_job_waits_for_rows_that_arrive_in_parts() {
    for file in samples() {
        let (info, rows) = (pipeline::probe(&file, &LIMITS, &Notes::default()).unwrap(), rows_of(&file).unwrap());
        let turned = |job: Job| Job { encoding: Encoding::new(Format::Png).unwrap(), ..job };
        for job in [job(&info), turned(job(&info))] {
            let (want, _) = run(&file, &job).unwrap();
            for step in [1, 13, 333, 4096, 100_000] {
                let mut out = Vec::new();
                let source = ArrivingSource::new(&rows, step);
                pipeline::run(&source, &mut out, &job, &mut |_, _| {}).unwrap();
                assert!(out == want, "{} of {step} bytes at a time", info.format);
            }
        }
    }
}

/// Returns the file that an encoder elsewhere makes of the job's rows, and the report of its verification.
fn encoded_elsewhere(file: &[u8], job: &Job) -> Result<(Vec<u8>, Report)> {
    let (mut rows, mut out) = (Vec::new(), Vec::new());
    let stage = finished(pipeline::stage_in_steps(&file, &mut rows, job, &mut |_, _| {}))?;
    let source = ArrivingSource::new(&rows, 5000);
    finished(pipeline::encode_in_steps(&source, &mut out, &job.encoding, None, &job.limits))?;
    let report = stage.verify(&out)?;
    Ok((out, report))
}

#[test]
fn an_encoder_elsewhere_writes_the_same_file_and_it_is_verified() {
    for file in samples() {
        let info = pipeline::probe(&file, &LIMITS, &Notes::default()).unwrap();
        for format in [Format::Jpeg, Format::Png, info.format] {
            let mut job = job(&info);
            job.encoding = Encoding::new(format).unwrap();
            if format == Format::Jpeg {
                job.parts.truncate(1);
            }
            assert_eq!(outcome(encoded_elsewhere(&file, &job)), outcome(run(&file, &job)), "{format}");
        }
    }
}

#[test]
fn an_outside_encoder_of_pictures_gets_those_of_a_webp_and_of_no_other_format() {
    let file = &samples()[0];
    let of = |format| Job {
        encoding: Encoding::new(format).unwrap(),
        ..job(&pipeline::probe(file, &LIMITS, &Notes::default()).unwrap())
    };
    let encode = |job: &Job| {
        let (mut rows, mut out) = (Vec::new(), Vec::new());
        finished(pipeline::stage_in_steps(file, &mut rows, job, &mut |_, _| {})).map(drop)?;
        let outside = Box::new(codec_webp::Lossless);
        finished(pipeline::encode_in_steps(&rows, &mut out, &job.encoding, Some(outside), &job.limits))?;
        Ok::<_, Error>(out)
    };
    let webp = of(Format::WebP);
    assert_eq!(encode(&webp).unwrap(), run(file, &webp).unwrap().0);
    assert_eq!(encode(&of(Format::Png)).unwrap_err().code(), "unsupported");
}

#[test]
fn a_wrong_file_of_an_encoder_elsewhere_is_refused() {
    let file = &samples()[0];
    let job = job(&pipeline::probe(file, &LIMITS, &Notes::default()).unwrap());
    let stage = finished(pipeline::stage_in_steps(file, &mut Vec::new(), &job, &mut |_, _| {})).unwrap();
    let other = file_with_profile(&generate::gradient(Size::new(49, 22), PixelFormat::RGB8), Format::Png, None);
    assert_eq!(stage.verify(&other).unwrap_err().code(), "contradiction");
}
