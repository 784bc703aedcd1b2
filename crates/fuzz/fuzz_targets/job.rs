#![no_main]

use pipeline::{Encoding, Job, Part};
use raster::{Format, Limits, Notes, Size};

// Runs a whole job for any file: probes it, shrinks it to a few pixels, and writes it in a format chosen by the length.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { memory: 64 << 20 };
    let Ok(info) = pipeline::probe(&bytes, &limits, &Notes::default()) else { return };
    let upright = info.orientation.turn(info.size);
    if upright.area() > 1 << 22 {
        return;
    }
    let formats = [Format::Jpeg, Format::Png, Format::Tiff, Format::Bmp, Format::Ico];
    let output = Encoding::new(formats[bytes.len() % formats.len()]).unwrap();
    let part = Part { target: Size::new(upright.width.min(9), upright.height.min(7)), ..Part::whole(upright) };
    let job = Job { parts: vec![part], limits, ..Job::whole(upright, output) };
    let mut sink = Vec::new();
    let _ = pipeline::run(&bytes, &mut sink, &job, &mut |_, _| {});
});
