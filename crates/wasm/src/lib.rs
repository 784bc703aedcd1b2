//! The engine's border with JavaScript: numbers, byte slices, and two imported objects. No engine code lives here, and
//! no JavaScript value gets past it. After a trap the instance must be thrown away.

#![allow(unreachable_pub, reason = "whoever imports the module is outside of Rust's sight")]

mod border;
mod door;
mod failure;
mod names;
mod sink;
mod source;
#[cfg(target_arch = "wasm32")] // elsewhere nobody reads the declarations
mod types;
mod warm;

use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use pipeline::{Policy, Report};
use raster::{ByteSource, Error, Format, ImageInfo, Limits, NotAnImage};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use border::{ProbeAnswer, ResizeJob, RunAnswer};
use sink::{JsSink, Sink};
use source::{JsSource, Source};

/// Rises with every change of this border that an older page would stumble over.
#[wasm_bindgen(js_name = abiVersion)]
#[must_use]
pub fn abi_version() -> u32 {
    5
}

/// Reads a file's header within `memory` bytes.
///
/// # Errors
/// None that a file can cause: those are values.
#[wasm_bindgen]
pub fn probe(source: &Source, memory: f64) -> Result<Ts<ProbeAnswer>, JsError> {
    let answer = match picture(&JsSource::new(source), &Limits { memory: memory as u64 }) {
        Ok(info) => ProbeAnswer::Ok((&info).into()),
        Err(error) => ProbeAnswer::Failure((&error).into()),
    };
    Ok(answer.into_ts()?)
}

/// The header of a user's file. Raw rows pass between parts of the engine only; to a user they are no picture.
fn picture(source: &dyn ByteSource, limits: &Limits) -> raster::Result<ImageInfo> {
    match pipeline::sniff(source)? {
        Format::Raw => Err(Error::NotAnImage(NotAnImage::Unknown)),
        _ => pipeline::probe(source, limits),
    }
}

/// A job under way.
#[wasm_bindgen]
pub struct Run {
    steps: Pin<Box<dyn Future<Output = raster::Result<Report>>>>,
}

#[wasm_bindgen]
impl Run {
    /// Writes to `sink` and tells its `progress` rows done and rows in all.
    ///
    /// # Errors
    /// When `job` is not one.
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

    /// Goes on to the next written row, and gives the answer at the end; it is the last step.
    ///
    /// # Errors
    /// None that a file can cause: those are values.
    pub fn step(&mut self) -> Result<Option<Ts<RunAnswer>>, JsError> {
        match self.steps.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => Ok(None),
            Poll::Ready(result) => Ok(Some(RunAnswer::from(result).into_ts()?)),
        }
    }
}

/// Copies a JPEG or PNG that stays as it is, with the metadata that `policy` leaves, within `memory` bytes.
///
/// # Errors
/// When `policy` is none. What a file can cause are values.
#[wasm_bindgen]
pub fn relabel(
    source: &Source,
    sink: &Sink,
    #[wasm_bindgen(unchecked_param_type = "Policy")] policy: &str,
    memory: f64,
) -> Result<Ts<RunAnswer>, JsError> {
    let policy = Policy::from_name(policy).ok_or_else(|| JsError::new("no such metadata policy"))?;
    let limits = Limits { memory: memory as u64 };
    let result = pipeline::relabel(&JsSource::new(source), &mut JsSink::new(sink), policy, &limits);
    Ok(RunAnswer::from(result).into_ts()?)
}

/// Runs a picture made on the spot through every hot loop, so that the engine has optimised them before the first
/// photograph comes. Returns the result's CRC-32, so that nothing can be left out.
#[wasm_bindgen]
#[must_use]
pub fn warm() -> u32 {
    warm::warm()
}

/// Bytes of linear memory now; it never shrinks.
#[wasm_bindgen(js_name = memoryBytes)]
#[must_use]
pub fn memory_bytes() -> f64 {
    const PAGE: f64 = 65_536.0;
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages as f64 * PAGE
}
