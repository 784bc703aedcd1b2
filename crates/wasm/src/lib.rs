//! The engine's border with JavaScript: numbers, byte slices, and two imported objects. It contains no engine code, and
//! JavaScript values are not passed beyond it. After a trap the instance must be discarded.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

mod door;
mod pictures;
mod warm;

use border::{CopyChanges, JsSink, JsSource, ProbeAnswer, ResizeJob, RunAnswer, Sink, Source, Steps};
use pipeline::Report;
use raster::{ByteSource, Error, Format, ImageInfo, Limits, NotAnImage, Notes};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Returns a number that rises with every incompatible change of this border.
#[wasm_bindgen(js_name = abiVersion)]
#[must_use]
pub fn abi_version() -> u32 {
    10
}

/// Reads a file's header within `memory` bytes.
///
/// # Errors
/// None that a file can cause: failures of files are values.
#[wasm_bindgen]
pub fn probe(source: &Source, memory: f64) -> Result<Ts<ProbeAnswer>, JsError> {
    let notes = Notes::default();
    let result = picture(&JsSource::new(source), &Limits { memory: memory as u64 }, &notes);
    Ok(ProbeAnswer::new(result, &notes, pipeline::respects).into_ts()?)
}

/// Reads the header of a user's file. Raw rows are exchanged between parts of the engine only; from a user they are not
/// accepted as a picture.
fn picture(source: &dyn ByteSource, limits: &Limits, notes: &Notes) -> raster::Result<ImageInfo> {
    match pipeline::sniff(source)? {
        Format::Raw => Err(Error::NotAnImage(NotAnImage::Unknown)),
        _ => pipeline::probe(source, limits, notes),
    }
}

/// A running job.
#[wasm_bindgen]
pub struct Run {
    steps: Steps<Report>,
}

#[wasm_bindgen]
impl Run {
    /// Creates a job that writes to `sink` and passes the numbers of finished and of all rows to its `progress`.
    ///
    /// # Errors
    /// When `job` is not valid.
    #[wasm_bindgen(constructor)]
    pub fn new(source: Source, sink: Sink, job: &Ts<ResizeJob>) -> Result<Self, JsError> {
        let job = job.to_rust()?.into();
        let steps = Box::pin(async move {
            let mut into = JsSink::new(&sink);
            let mut tell = |done: u64, total: u64| sink.progress(done as f64, total as f64);
            pipeline::run_in_steps(&JsSource::new(source), &mut into, &job, &mut tell).await
        });
        Ok(Self { steps })
    }

    /// Continues to the next written row; the last step returns the answer.
    ///
    /// # Errors
    /// None that a file can cause: failures of files are values.
    pub fn step(&mut self) -> Result<Option<Ts<RunAnswer>>, JsError> {
        let Some(result) = border::poll(&mut self.steps) else { return Ok(None) };
        Ok(Some(RunAnswer::from(result).into_ts()?))
    }
}

/// Copies a file without decoding its pixels, with `changes`, within `memory` bytes.
///
/// # Errors
/// When `changes` are not valid. Failures that a file can cause are values.
#[wasm_bindgen]
pub fn relabel(source: &Source, sink: &Sink, changes: &Ts<CopyChanges>, memory: f64) -> Result<Ts<RunAnswer>, JsError> {
    let (changes, limits) = (changes.to_rust()?.into(), Limits { memory: memory as u64 });
    let result = pipeline::relabel(&JsSource::new(source), &mut JsSink::new(sink), &changes, &limits);
    Ok(RunAnswer::from(result).into_ts()?)
}

/// Runs a generated picture through every hot loop, so that the JavaScript engine has optimised them before the first
/// photograph. Returns the result's CRC-32, so that the compiler cannot remove the work.
#[wasm_bindgen]
#[must_use]
pub fn warm() -> u32 {
    warm::warm()
}

/// Returns the current bytes of linear memory, which never shrinks.
#[wasm_bindgen(js_name = memoryBytes)]
#[must_use]
pub fn memory_bytes() -> f64 {
    border::memory_bytes()
}
