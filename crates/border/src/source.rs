//! A JavaScript object as a byte source.

use raster::{ByteSource, IoError, Result};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** A file, read at any position while a call into the core runs. */
export interface Source {
  byteLen(): number;
  /**
   * Copies bytes from `offset` into `into`, a view that is valid during this call only; returns how many, 0 only at the
   * end, or -1 where the bytes are still under way. A source that says -1 fills `into` otherwise, as far as the file
   * goes, and may forget what lies before the last `offset`.
   */
  readAt(offset: number, into: Uint8Array): number;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Source")]
    pub type Source;

    #[wasm_bindgen(method, structural, js_name = byteLen)]
    fn byte_len(this: &Source) -> f64;

    #[wasm_bindgen(method, structural, catch, js_name = readAt)]
    fn read_at(this: &Source, offset: f64, into: &mut [u8]) -> core::result::Result<i32, JsValue>;

    /// A thrown value of any type.
    type Thrown;

    #[wasm_bindgen(method, structural, catch, getter)]
    fn message(this: &Thrown) -> core::result::Result<JsValue, JsValue>;
}

/// A [`Source`], and its length, which is read once.
pub struct JsSource<S> {
    object: S,
    len: u64,
}

impl<S: core::borrow::Borrow<Source>> JsSource<S> {
    /// Wraps the object.
    pub fn new(object: S) -> Self {
        let len = object.borrow().byte_len() as u64;
        Self { object, len }
    }
}

impl<S: core::borrow::Borrow<Source>> ByteSource for JsSource<S> {
    fn byte_len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let asked = into.len();
        // Offsets are passed as f64, exact to 2^53.
        let read = self.object.borrow().read_at(offset as f64, into).map_err(|e| IoError::Read(message(&e)))?;
        let read = usize::try_from(read).map_err(|_| IoError::NotYet)?;
        Ok(asked.min(read))
    }
}

/// Returns the message of a thrown value.
pub(crate) fn message(thrown: &JsValue) -> String {
    let text = thrown.unchecked_ref::<Thrown>().message().ok().and_then(|value| value.as_string());
    text.or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown".into())
}
