//! Modules that read one format for the core: they decode pictures at their own size and send them as raw rows.

use heif::Device;
use raster::{Budget, ByteSource, ImageReader, Limits, Notes, Result};

use crate::{DeviceDecoder, JsSink, JsSource, ProbeAnswer, Sink, Source, Steps};

/// The function of a codec that opens a file, whose pictures the device may decode.
pub type Open =
    for<'a> fn(&'a dyn ByteSource, Option<&'a dyn Device>, &Budget, &Notes) -> Result<Box<dyn ImageReader + 'a>>;

/// Reads the header of a file within `memory` bytes.
#[must_use]
pub fn probe(open: Open, source: &Source, memory: f64) -> ProbeAnswer {
    let (notes, budget) = (Notes::default(), Budget::new(&Limits { memory: memory as u64 }));
    let result = open(&JsSource::new(source), None, &budget, &notes).map(|reader| reader.info().clone());
    ProbeAnswer::new(result, &notes, pipeline::surely_respects)
}

/// Returns the steps that decode all pictures of a file and write their rows to `rows`, within `memory` bytes.
#[must_use]
pub fn decode(open: Open, source: Source, rows: Sink, memory: f64, device: Option<DeviceDecoder>) -> Steps<()> {
    Box::pin(async move {
        let (notes, budget) = (Notes::default(), Budget::new(&Limits { memory: memory as u64 }));
        let source = JsSource::new(&source);
        let device = device.as_ref().map(|device| device as &dyn Device);
        let mut reader = open(&source, device, &budget, &notes)?;
        let mut rows = JsSink::new(&rows);
        codec_raw::transfer(&mut *reader, &mut rows, &budget, &notes).await?;
        rows.flush()
    })
}

/// Exports the functions of a module that reads one format, for JavaScript: `border::decoder!(codec_x::open);` is the
/// whole crate of such a module. It needs the crates `raster`, `tsify` and `wasm-bindgen`.
#[macro_export]
macro_rules! decoder {
    ($open:path) => {
        use tsify::{Ts, Tsify};
        use wasm_bindgen::prelude::*;

        /// Returns a number that rises with every incompatible change of this interface.
        #[wasm_bindgen(js_name = abiVersion)]
        #[must_use]
        pub fn abi_version() -> u32 {
            3
        }

        /// Reads the header of a file within `memory` bytes.
        ///
        /// # Errors
        /// None that a file can cause: failures of files are values.
        #[wasm_bindgen]
        pub fn probe(source: &$crate::Source, memory: f64) -> Result<Ts<$crate::ProbeAnswer>, JsError> {
            Ok($crate::decoder::probe($open, source, memory).into_ts()?)
        }

        /// The decoder of a job that another worker does.
        #[wasm_bindgen]
        pub struct Codec {
            steps: $crate::Steps<()>,
        }

        #[wasm_bindgen]
        impl Codec {
            /// Creates a decoder, which writes all pictures to `rows`, within `memory` bytes. The parts of the job are
            /// not needed. The module decodes what the device refuses.
            #[must_use]
            pub fn decoder(
                source: $crate::Source,
                rows: $crate::Sink,
                _parts: &JsValue,
                memory: f64,
                device: Option<$crate::DeviceDecoder>,
            ) -> Self {
                Self { steps: $crate::decoder::decode($open, source, rows, memory, device) }
            }

            /// Continues to the next row, and returns the answer at the end.
            ///
            /// # Errors
            /// None that a file can cause: failures of files are values.
            pub fn step(&mut self) -> Result<Option<Ts<$crate::StepsAnswer>>, JsError> {
                let Some(result) = $crate::poll(&mut self.steps) else { return Ok(None) };
                Ok(Some($crate::StepsAnswer::from(result).into_ts()?))
            }
        }

        /// Returns the current bytes of linear memory, which never shrinks.
        #[wasm_bindgen(js_name = memoryBytes)]
        #[must_use]
        pub fn memory_bytes() -> f64 {
            $crate::memory_bytes()
        }
    };
}
