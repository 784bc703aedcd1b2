//! A JavaScript object that encodes pictures: libwebp, libavif or libjxl, which are modules of their own.

use border::PictureSettings;
use raster::{Budget, Compression, EncoderSettings, Format, Limit, Picture, Result};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** An encoder of single pictures, outside of the core. */
export interface PictureEncoder {
  /**
   * Returns a file with one picture; undefined when its memory does not suffice. `pixels` is a view that is valid
   * during the call only: grey or RGB, with straight alpha or without, samples of 8 bits, or of 16 in little-endian.
   */
  encode(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "PictureEncoder")]
    pub type PictureEncoder;

    #[wasm_bindgen(method, structural)]
    fn encode(this: &PictureEncoder, pixels: &[u8], settings: Ts<PictureSettings>) -> Option<Vec<u8>>;
}

/// What an encoder and its glue hold for any picture.
const FIXED_MEMORY: u64 = 16 << 20;

/// A [`PictureEncoder`], and what it costs.
pub(crate) struct JsPictures {
    object: PictureEncoder,
    format: Format,
}

impl JsPictures {
    /// Wraps the object, which encodes that format.
    pub(crate) fn new(object: PictureEncoder, format: Format) -> Self {
        Self { object, format }
    }

    /// Returns the bytes per pixel that encoding takes. Measured with noise, which needs most.
    fn bytes_per_pixel(&self, picture: &Picture<'_>, compression: Compression) -> u64 {
        let format = picture.format;
        let encoder = match self.format {
            Format::Avif if format.depth.bits() > 8 => 96,
            Format::Avif => 66,
            // libjxl holds floats.
            Format::Jxl => 130,
            // 29 bytes for VP8, 60 for VP8L, which also stores the alpha of a lossy picture.
            _ if compression == Compression::Lossless || format.channels.has_alpha() => 60,
            _ => 29,
        };
        // The glue copies the pixels with alpha, and the file is copied to this module.
        encoder + 4 * format.depth.bytes() as u64 + 5
    }
}

impl raster::PictureEncoder for JsPictures {
    fn encode(&mut self, picture: &Picture<'_>, settings: EncoderSettings, budget: &Budget) -> Result<Vec<u8>> {
        let need = picture.size.area() * self.bytes_per_pixel(picture, settings.compression) + FIXED_MEMORY;
        budget.charge(need)?;
        let settings = PictureSettings::new(picture, settings);
        let settings = settings.into_ts().map_err(|error| raster::IoError::Write(error.to_string()))?;
        let file = self.object.encode(picture.pixels, settings);
        file.ok_or_else(|| Limit::Memory { need, have: u64::from(u32::MAX) / 2 }.into())
    }
}
