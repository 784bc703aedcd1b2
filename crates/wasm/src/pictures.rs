//! A JavaScript object that encodes pictures: libwebp, which is a module of its own.

use pipeline::{Picture, WebpCompression};
use raster::{Budget, Limit, Result};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** An encoder of single pictures, outside of the core. */
export interface PictureEncoder {
  /**
   * Returns a file with one picture; undefined when its memory does not suffice. `pixels` is a view that is valid
   * during the call only: RGB, or RGBA with straight alpha, 8 bits each. `quality` is 1 to 100, also between whole
   * numbers; undefined for no loss.
   */
  encode(pixels: Uint8Array, width: number, height: number, quality: number | undefined): Uint8Array | undefined;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "PictureEncoder")]
    pub type PictureEncoder;

    #[wasm_bindgen(method, structural)]
    fn encode(this: &PictureEncoder, pixels: &[u8], width: u32, height: u32, quality: Option<f64>) -> Option<Vec<u8>>;
}

/// What libwebp and its glue hold for any picture.
const FIXED_MEMORY: u64 = 16 << 20;

/// A [`PictureEncoder`], and what it costs.
pub(crate) struct JsPictures {
    object: PictureEncoder,
}

impl JsPictures {
    /// Wraps the object.
    pub(crate) fn new(object: PictureEncoder) -> Self {
        Self { object }
    }
}

impl pipeline::PictureEncoder for JsPictures {
    fn encode(&mut self, picture: &Picture<'_>, compression: WebpCompression, budget: &Budget) -> Result<Vec<u8>> {
        let Picture { size, format, pixels } = *picture;
        let quality = match compression {
            WebpCompression::Lossless => None,
            WebpCompression::Lossy { quality } => Some(f64::from(quality.hundredths()) / 100.0),
        };
        // Measured with noise, which needs most: 29 bytes per pixel for VP8, 60 for VP8L, which also stores the alpha
        // of a lossy picture. The glue copies the pixels with alpha, and the file is copied to this module.
        let per_pixel = if quality.is_none() || format.channels.has_alpha() { 60 } else { 29 } + 4 + 5;
        let need = size.area() * per_pixel + FIXED_MEMORY;
        budget.charge(need)?;
        let file = self.object.encode(pixels, size.width, size.height, quality);
        file.ok_or_else(|| Limit::Memory { need, have: u64::from(u32::MAX) / 2 }.into())
    }
}
