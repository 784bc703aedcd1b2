//! A JavaScript object as a byte sink.

use raster::{ByteSink, ByteSource, IoError, Result};
use wasm_bindgen::prelude::*;

use crate::source::{JsSource, Source, message};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** Where a result goes. All byte arrays are views that are valid during the call only. */
export interface Sink {
  write(bytes: Uint8Array): void;
  /** Overwrites bytes already written. */
  patch(offset: number, bytes: Uint8Array): void;
  /** What was written so far, to be read again. */
  reread(): Source;
  /** Rows done and rows in all, about a hundred times a job, and at the end of each image. */
  progress(done: number, total: number): void;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Sink")]
    pub type Sink;

    #[wasm_bindgen(method, structural, catch)]
    fn write(this: &Sink, bytes: &[u8]) -> core::result::Result<(), JsValue>;

    #[wasm_bindgen(method, structural, catch)]
    fn patch(this: &Sink, offset: f64, bytes: &[u8]) -> core::result::Result<(), JsValue>;

    #[wasm_bindgen(method, structural, catch)]
    fn reread(this: &Sink) -> core::result::Result<Source, JsValue>;

    #[wasm_bindgen(method, structural)]
    pub fn progress(this: &Sink, done: f64, total: f64);
}

/// The size of the chunks in which small writes are collected, because each crossing of the border takes about a
/// microsecond.
const CHUNK: usize = 256 * 1024;

/// A [`Sink`] with a buffer of small writes.
pub struct JsSink<'a> {
    object: &'a Sink,
    buffer: Vec<u8>,
}

impl<'a> JsSink<'a> {
    /// Wraps the object.
    pub fn new(object: &'a Sink) -> Self {
        Self { object, buffer: Vec::new() }
    }

    /// Writes the collected bytes.
    ///
    /// # Errors
    /// Those of the object.
    pub fn flush(&mut self) -> Result<()> {
        if !self.buffer.is_empty() {
            self.hand_over(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    fn hand_over(&self, bytes: &[u8]) -> Result<()> {
        Ok(self.object.write(bytes).map_err(|e| IoError::Write(message(&e)))?)
    }
}

impl ByteSink for JsSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len() + bytes.len() > CHUNK {
            self.flush()?;
        }
        if bytes.len() >= CHUNK {
            return self.hand_over(bytes); // a whole JPEG is one write, and the budget has no space for a copy
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.flush()?;
        Ok(self.object.patch(offset as f64, bytes).map_err(|e| IoError::Write(message(&e)))?)
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        self.flush()?;
        let source = self.object.reread().map_err(|e| IoError::Read(message(&e)))?;
        Ok(Box::new(JsSource::new(source)))
    }
}
