//! Decoders and encoders in other workers: [`pipeline::decode_in_steps`] and its siblings.

use border::{DecoderOptions, JsSink, JsSource, ResizeJob, RunAnswer, Sink, Source, Steps, StepsAnswer, poll};
use pipeline::{Job, Stage};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::pictures::{JsPictures, PictureEncoder};

/// A decoder or an encoder for the job of another worker.
#[wasm_bindgen]
pub struct Codec {
    steps: Steps<()>,
}

#[wasm_bindgen]
impl Codec {
    /// Creates a decoder, which writes the pictures of `source` to `rows` unchanged.
    #[must_use]
    pub fn decoder(source: Source, rows: Sink, options: &DecoderOptions) -> Self {
        let (with_gain_map, limits) = border::decoder::wanted(options);
        let steps = Box::pin(async move {
            let mut rows = JsSink::new(&rows);
            pipeline::decode_in_steps(&JsSource::new(source), &mut rows, with_gain_map, &limits).await?;
            rows.flush()
        });
        Self { steps }
    }

    /// Creates an encoder, which writes the pictures of `rows` to `sink` as the file of `job`. `outside` encodes the
    /// pictures of formats that the core does not encode.
    ///
    /// # Errors
    /// When `job` is not valid.
    pub fn encoder(
        rows: Source,
        sink: Sink,
        job: &Ts<ResizeJob>,
        outside: Option<PictureEncoder>,
    ) -> Result<Self, JsError> {
        let Job { encoding, limits, .. } = job.to_rust()?.into();
        let format = encoding.traits().format;
        let steps = Box::pin(async move {
            let mut sink = JsSink::new(&sink);
            let outside =
                outside.map(|object| Box::new(JsPictures::new(object, format)) as Box<dyn raster::PictureEncoder>);
            pipeline::encode_in_steps(&JsSource::new(rows), &mut sink, &encoding, outside, &limits).await?;
            sink.flush()
        });
        Ok(Self { steps })
    }

    /// Continues to the next row, and returns the answer at the end.
    ///
    /// # Errors
    /// None that a file can cause: failures of files are values.
    pub fn step(&mut self) -> Result<Option<Ts<StepsAnswer>>, JsError> {
        let Some(result) = poll(&mut self.steps) else { return Ok(None) };
        Ok(Some(StepsAnswer::from(result).into_ts()?))
    }
}

/// A job whose file another worker encodes.
#[wasm_bindgen]
pub struct Staged {
    steps: Steps<Stage>,
    stage: Option<Stage>,
}

#[wasm_bindgen]
impl Staged {
    /// Creates a job that writes rows for the encoder to `rows` and passes the numbers of finished and of all rows to
    /// `progress` of `rows`.
    ///
    /// # Errors
    /// When `job` is not valid.
    #[wasm_bindgen(constructor)]
    pub fn new(source: Source, rows: Sink, job: &Ts<ResizeJob>) -> Result<Self, JsError> {
        let job = job.to_rust()?.into();
        let steps = Box::pin(async move {
            let mut into = JsSink::new(&rows);
            let mut tell = |done: u64, total: u64| rows.progress(done as f64, total as f64);
            let stage = pipeline::stage_in_steps(&JsSource::new(source), &mut into, &job, &mut tell).await?;
            into.flush()?;
            Ok(stage)
        });
        Ok(Self { steps, stage: None })
    }

    /// Continues to the next row, and returns the answer at the end.
    ///
    /// # Errors
    /// None that a file can cause: failures of files are values.
    pub fn step(&mut self) -> Result<Option<Ts<StepsAnswer>>, JsError> {
        let Some(result) = poll(&mut self.steps) else { return Ok(None) };
        Ok(Some(StepsAnswer::from(result.map(|stage| self.stage = Some(stage))).into_ts()?))
    }

    /// Compares the encoder's file with the promise of the job.
    ///
    /// # Errors
    /// When the last step has not been made. Failures that a file can cause are values.
    pub fn verify(&self, file: &Source) -> Result<Ts<RunAnswer>, JsError> {
        let stage = self.stage.as_ref().ok_or_else(|| JsError::new("the rows are not all written"))?;
        Ok(RunAnswer::from(stage.verify(&JsSource::new(file))).into_ts()?)
    }
}
