//! Modules that read one format for the core: they decode pictures at their own size and send them as raw rows.

use heif::Device;
use raster::{Budget, ByteSource, FindGainMap, ImageReader, Limits, Notes, Result, StoredGainMap, unless_damaged};
use wasm_bindgen::prelude::*;

use crate::{DeviceDecoder, JsSink, JsSource, ProbeAnswer, Sink, Source, Steps};

/// The function of a codec that opens a file, whose pictures the device may decode.
pub type Open =
    for<'a> fn(&'a dyn ByteSource, Option<&'a dyn Device>, &Budget, &Notes) -> Result<Box<dyn ImageReader + 'a>>;

/// The functions of a codec.
#[derive(Clone, Copy)]
pub struct Functions {
    /// Opens a file.
    pub open: Open,
    /// Finds its gain map.
    pub find_gain_map: FindGainMap,
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** What a decoder decodes of a file. */
export interface DecoderOptions {
  /** Whether the job writes the gain map of the picture. */
  readonly gainMap: boolean;
  /** The bytes of memory that decoding may use. */
  readonly memory: number;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "DecoderOptions")]
    pub type DecoderOptions;

    #[wasm_bindgen(method, structural, getter, js_name = gainMap)]
    fn gain_map(this: &DecoderOptions) -> bool;

    #[wasm_bindgen(method, structural, getter)]
    fn memory(this: &DecoderOptions) -> f64;
}

/// Reads the header of a file within `memory` bytes.
#[must_use]
pub fn probe(open: Open, source: &Source, memory: f64) -> ProbeAnswer {
    let (notes, budget) = (Notes::default(), Budget::new(&Limits { memory: memory as u64 }));
    let result = open(&JsSource::new(source), None, &budget, &notes).map(|reader| reader.info().clone());
    ProbeAnswer::new(result, &notes, pipeline::surely_respects)
}

/// Returns the steps that decode all pictures of a file and write their rows to `rows`.
#[must_use]
pub fn decode(
    codec: Functions,
    (source, rows): (Source, Sink),
    options: &DecoderOptions,
    device: Option<DeviceDecoder>,
) -> Steps<()> {
    let (with_gain_map, limits) = wanted(options);
    Box::pin(async move {
        let (notes, budget) = (Notes::default(), Budget::new(&limits));
        let source = JsSource::new(&source);
        let device = device.as_ref().map(|device| device as &dyn Device);
        let gain_map = if with_gain_map { gain_map(codec, &source, device, &budget).await? } else { None };
        let mut reader = (codec.open)(&source, device, &budget, &notes)?;
        let mut rows = JsSink::new(&rows);
        codec_raw::transfer(&mut *reader, gain_map, &mut rows, &budget, &notes).await?;
        rows.flush()
    })
}

/// Returns whether the gain map is wanted, and the limits.
#[must_use]
pub fn wanted(options: &DecoderOptions) -> (bool, Limits) {
    (options.gain_map(), Limits { memory: options.memory() as u64 })
}

/// Returns the gain map of a file as raw rows, or `None` when it has none or it is damaged.
async fn gain_map(
    codec: Functions,
    source: &dyn ByteSource,
    device: Option<&dyn Device>,
    budget: &Budget,
) -> Result<Option<StoredGainMap>> {
    let scope = budget.scope();
    let Some(found) = unless_damaged((codec.find_gain_map)(source, &scope))?.flatten() else { return Ok(None) };
    let (notes, file) = (Notes::default(), found.file(source));
    let Some(mut reader) = unless_damaged((codec.open)(&file, device, &scope, &notes))? else { return Ok(None) };
    let rows = codec_raw::gain_map_rows(&mut *reader, &scope, &notes).await;
    drop((reader, scope));
    let map = unless_damaged(rows)?.flatten().map(|rows| found.with_file(rows));
    Ok(map.filter(|map| budget.charge(map.byte_len()).is_ok()))
}

/// Exports the functions of a module that reads one format, for JavaScript:
/// `border::decoder!(codec_x::open, codec_x::find_gain_map);` is the whole crate of such a module. It needs the crates
/// `raster`, `tsify` and `wasm-bindgen`. A module with further functions states the version of its interface.
#[macro_export]
macro_rules! decoder {
    ($open:path, $find_gain_map:path) => {
        $crate::decoder!($open, $find_gain_map, 4);
    };
    ($open:path, $find_gain_map:path, $version:literal) => {
        use tsify::{Ts, Tsify};
        use wasm_bindgen::prelude::*;

        /// Returns a number that rises with every incompatible change of this interface.
        #[wasm_bindgen(js_name = abiVersion)]
        #[must_use]
        pub fn abi_version() -> u32 {
            $version
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
            /// Creates a decoder, which writes all pictures to `rows`. It decodes what the device refuses.
            #[must_use]
            pub fn decoder(
                source: $crate::Source,
                rows: $crate::Sink,
                options: &$crate::DecoderOptions,
                device: Option<$crate::DeviceDecoder>,
            ) -> Self {
                let codec = $crate::decoder::Functions { open: $open, find_gain_map: $find_gain_map };
                Self { steps: $crate::decoder::decode(codec, (source, rows), options, device) }
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
