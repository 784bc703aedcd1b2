//! The interface for codecs outside of the core. A decoder or an encoder may run elsewhere: in another worker, in
//! another module, or on the device. It exchanges raw rows with the core (see [`codec_raw`]).
//!
//! ```text
//! decode_in_steps ─rows─► run_in_steps            a decoder elsewhere: rows are a source like any file
//! stage_in_steps  ─rows─► encode_in_steps ─file─► Stage::verify      an encoder elsewhere
//! ```

use raster::steps::{pause, retried};
use raster::{
    Budget, ByteSink, ByteSource, Error, Format, FrameHeader, FrameInfo, ImageInfo, ImageSpec, Limits, Notes,
    PictureEncoder, Result, RowFormat, RowReader, Wanted, Warning,
};

use crate::codecs::{Encoding, drawing, open};
use crate::frames::Frames;
use crate::gain_map;
use crate::job::Job;
use crate::progress::Progress;
use crate::run::{Report, write_parts};
use crate::seal::crc32;
use crate::sniff;
use crate::target::Target;
use crate::verify::read_back;
use crate::written::Written;

/// Writes a file's pictures unchanged to `rows`, and its gain map if it is wanted, in steps (see [`raster::steps`]).
///
/// # Errors
/// Errors of the file's reader. Damage of single frames is written into the rows instead.
pub async fn decode_in_steps(
    source: &dyn ByteSource,
    rows: &mut dyn ByteSink,
    with_gain_map: bool,
    limits: &Limits,
) -> Result<()> {
    let budget = Budget::new(limits);
    let notes = Notes::default();
    let format = retried(|| sniff(source)).await?;
    let gain_map = if with_gain_map { gain_map::carried(source, format, &budget).await? } else { None };
    let mut reader = retried(|| open(format, source, &budget.scope(), &notes)).await?;
    codec_raw::transfer(&mut *reader, gain_map, rows, &budget, &notes).await
}

/// Writes the pictures of raw rows unchanged as a file of that encoding, in steps. `outside` encodes the pictures
/// instead of the core.
///
/// # Errors
/// Errors of the rows and of the file's writer.
pub async fn encode_in_steps(
    rows: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    encoding: &Encoding,
    outside: Option<Box<dyn PictureEncoder + '_>>,
    limits: &Limits,
) -> Result<()> {
    let budget = Budget::new(limits);
    let notes = Notes::default();
    let mut reader = retried(|| codec_raw::open(rows, &budget.scope(), &notes)).await?;
    let ImageInfo { size, row_format, frames, sequence, quality, has_palette, .. } = *reader.info();
    let spec = ImageSpec {
        size,
        pixels: row_format.in_colors(),
        frames,
        sequence,
        source_quality: quality,
        source_palette: has_palette,
        keeps_palette: false,
        notes,
        budget: &budget,
    };
    let mut writer = match outside {
        Some(encoder) => encoding.create_outside(sink, &spec, encoder)?,
        None => encoding.create(sink, &spec)?,
    };
    let mut row = Vec::new();
    loop {
        let frame = loop {
            match reader.next_frame(&Wanted::FULL_SIZE) {
                Err(error) if error.is_not_yet() => {}
                result => break result?,
            }
            pause().await;
        };
        let Some(mut frame) = frame else { return writer.finish() };
        writer.begin_frame(&header(frame.info)?, &frame.metadata)?;
        row.resize(frame.info.row_bytes() as usize, 0);
        for _ in 0..frame.info.size.height {
            retried(|| frame.rows.read_row(&mut row)).await?;
            writer.write_row(&row)?;
            pause().await;
        }
    }
}

/// Returns a frame's header for a writer.
const fn header(frame: FrameInfo) -> Result<FrameHeader> {
    let FrameInfo { size, row_format, orientation, delay, .. } = frame;
    match row_format {
        RowFormat::Colors(pixels) => Ok(FrameHeader { size, pixels, orientation, delay }),
        RowFormat::Inks { .. } => Err(Error::Unsupported { format: Format::Raw, feature: "writing inks" }),
    }
}

/// A job whose file is encoded elsewhere.
#[must_use]
pub struct Stage {
    written: Written,
    warnings: Vec<Warning>,
    memory: u64,
    limits: Limits,
}

/// Runs a job like [`crate::run_in_steps`], but writes raw rows, from which an encoder makes the job's file.
///
/// # Errors
/// The errors of [`crate::run`].
pub async fn stage_in_steps(
    source: &dyn ByteSource,
    rows: &mut dyn ByteSink,
    job: &Job,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Stage> {
    let budget = Budget::new(&job.limits);
    let notes = Notes::default();
    let format = retried(|| sniff(source)).await?;
    let mut frames = retried(|| Frames::open(source, format, &budget, &notes, &job.parts)).await?;
    let job = &*drawing::drawn(format, job);
    let progress = Progress::new(job.parts.len(), on_rows);
    let written = write_parts(&mut frames, Target::Encoder(rows), job, &budget, &progress).await?;
    Ok(Stage { written, warnings: notes.warnings(), memory: budget.peak(), limits: job.limits })
}

impl Stage {
    /// Compares the encoder's file with the promise of the job.
    ///
    /// # Errors
    /// `Contradiction` when the file differs; errors of reading its header.
    pub fn verify(&self, file: &dyn ByteSource) -> Result<Report> {
        let (info, memory) = read_back(file, &self.limits, self.written.byte_len())?;
        self.written.verify(&info)?;
        let (byte_len, crc32) = (file.byte_len(), crc32(file)?);
        let warnings = self.warnings.clone();
        let ImageInfo { format, size, frames, .. } = info;
        Ok(Report { format, size, frames, byte_len, crc32, warnings, memory: self.memory.max(memory) })
    }
}
