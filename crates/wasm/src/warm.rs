//! A small generated picture for the loops that photographs use.

use pipeline::{Encoding, Job, JpegOptions, Part};
use raster::{Budget, Format, FrameHeader, ImageSpec, Limits, Metadata, PixelFormat, Result, Size};

/// A size large enough for optimisation after a few rounds, and small enough for short rounds.
const SIZE: Size = Size::new(512, 384);

/// Encodes a picture with some structure as JPEG, shrinks it, and returns the checksum of the result. An error would
/// give the checksum 0 and only lose the effect.
pub(crate) fn warm() -> u32 {
    photograph().and_then(|jpeg| shrink(&jpeg)).unwrap_or(0)
}

fn photograph() -> Result<Vec<u8>> {
    let mut jpeg = Vec::new();
    let budget = Budget::new(&Limits::default());
    let header = FrameHeader::new(SIZE, PixelFormat::RGB8);
    let spec = ImageSpec::single(SIZE, header.pixels, &budget);
    let encoding = Encoding::Jpeg(JpegOptions { quality: Some(90.into()), ..JpegOptions::default() });
    let mut writer = encoding.create(&mut jpeg, &spec)?;
    writer.begin_frame(&header, &Metadata::default())?;
    let mut row = vec![0; header.row_bytes() as usize];
    for y in 0..SIZE.height {
        for (i, sample) in row.iter_mut().enumerate() {
            let (x, channel) = (i as u32 / 3, i as u32 % 3);
            // Slopes, edges and fine grain reach every branch of the entropy coder.
            *sample = (x / 3 + y / 2 * channel + (x * y) % 29 + if (x / 37 + y / 23) % 2 == 0 { 60 } else { 0 }) as u8;
        }
        writer.write_row(&row)?;
    }
    writer.finish()?;
    Ok(jpeg)
}

fn shrink(jpeg: &[u8]) -> Result<u32> {
    let part = Part { target: Size::new(SIZE.width / 3, SIZE.height / 3), ..Part::whole(SIZE) };
    let job = Job { parts: vec![part], ..Job::whole(SIZE, Encoding::new(Format::Jpeg)?) };
    let report = pipeline::run(&jpeg, &mut Vec::new(), &job, &mut |_, _| {})?;
    Ok(report.crc32)
}
