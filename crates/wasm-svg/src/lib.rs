//! The module that draws SVG files: loaded with the first SVG, in a worker of its own. It sends raw rows to the core,
//! and writes drawings that stay drawings.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

use border::{JsSink, JsSource, PartValue, ProbeAnswer, ResizeJob, RunAnswer, Sink, Source, Steps, StepsAnswer};
use codec_svg::{Reader, View};
use pipeline::Part;
use raster::{Budget, ByteSource, ImageInfo, ImageReader, Limits, Notes};
use serde::Deserialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Returns a number that rises with every incompatible change of this interface.
#[wasm_bindgen(js_name = abiVersion)]
#[must_use]
pub fn abi_version() -> u32 {
    2
}

/// Reads a document within `memory` bytes; nothing is drawn.
///
/// # Errors
/// None that a file can cause: failures of files are values.
#[wasm_bindgen]
pub fn probe(source: &Source, memory: f64) -> Result<Ts<ProbeAnswer>, JsError> {
    let notes = Notes::default();
    let result = info(&JsSource::new(source), &Limits { memory: memory as u64 }, &notes);
    Ok(ProbeAnswer::new(result, &notes, pipeline::surely_respects).into_ts()?)
}

fn info(source: &dyn ByteSource, limits: &Limits, notes: &Notes) -> raster::Result<ImageInfo> {
    Ok(codec_svg::open(source, &Budget::new(limits), notes)?.info().clone())
}

/// Writes a drawing with the size of the job's only part.
///
/// # Errors
/// When `job` is not valid. Failures that a file can cause are values.
#[wasm_bindgen]
pub fn resize(source: &Source, sink: &Sink, job: &Ts<ResizeJob>) -> Result<Ts<RunAnswer>, JsError> {
    let job = job.to_rust()?.into();
    let mut sink = JsSink::new(sink);
    let result = pipeline::resize_drawing(&JsSource::new(source), &mut sink, &job);
    Ok(RunAnswer::from(result).into_ts()?)
}

/// The parts of a job.
#[derive(Tsify, Deserialize)]
pub struct Parts(Vec<PartValue>);

/// The decoder of a job that another worker does.
#[wasm_bindgen]
pub struct Codec {
    steps: Steps<()>,
}

#[wasm_bindgen]
impl Codec {
    /// Creates a decoder, which draws the crop of each part at its target size and writes the pictures to `rows`,
    /// within `memory` bytes.
    ///
    /// # Errors
    /// When `parts` are not valid.
    pub fn decoder(source: Source, rows: Sink, parts: &Ts<Parts>, memory: f64) -> Result<Self, JsError> {
        let parts = parts.to_rust()?.0.into_iter().map(Part::from).collect();
        Ok(Self { steps: Box::pin(draw(source, rows, parts, Limits { memory: memory as u64 })) })
    }

    /// Continues to the next row, and returns the answer at the end.
    ///
    /// # Errors
    /// None that a file can cause: failures of files are values.
    pub fn step(&mut self) -> Result<Option<Ts<StepsAnswer>>, JsError> {
        let Some(result) = border::poll(&mut self.steps) else { return Ok(None) };
        Ok(Some(StepsAnswer::from(result).into_ts()?))
    }
}

async fn draw(source: Source, rows: Sink, parts: Vec<Part>, limits: Limits) -> raster::Result<()> {
    let (budget, notes) = (Budget::new(&limits), Notes::default());
    let reader = Reader::open(&JsSource::new(source), &budget, &notes)?;
    let size = reader.info().size;
    parts.iter().try_for_each(|part| part.check(size))?;
    let view = |part: &Part| {
        let (crop, target) = part.before_turn(size);
        View { crop, target }
    };
    let mut reader = reader.with_views(parts.iter().map(view).collect());
    let mut rows = JsSink::new(&rows);
    codec_raw::transfer(&mut reader, None, &mut rows, &budget, &notes).await?;
    rows.flush()
}

/// Returns the current bytes of linear memory, which never shrinks.
#[wasm_bindgen(js_name = memoryBytes)]
#[must_use]
pub fn memory_bytes() -> f64 {
    border::memory_bytes()
}
