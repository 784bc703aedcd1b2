//! A JavaScript object as a decoder of the device.

use heif::{Coded, Device, DevicePicture, Planes, State};
use raster::Size;
use wasm_bindgen::prelude::*;
use yuv::Sampling;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** A decoder of the device for single pictures. */
export interface DeviceDecoder {
  /**
   * Starts to decode a picture, which needs no others. `codec` is its name with parameters (RFC 6381), `configuration`
   * the contents of its box. The arrays are views that are valid during the call only.
   */
  decode(codec: string, configuration: Uint8Array, width: number, height: number, data: Uint8Array): DevicePicture;
}

/** A picture of the device. Everything but `state` is known when it is decoded. */
export interface DevicePicture {
  state(): 'under-way' | 'decoded' | 'failed';
  width(): number;
  height(): number;
  /** The bits of a sample. */
  depth(): number;
  /** How many pixels share samples of chroma: two in both directions, two in a row, none. */
  chroma(): 'half' | 'columns' | 'full';
  /** Copies a row of plane 0 (luma), 1 or 2 (chroma) into a view that is valid during the call only. */
  copyRow(plane: number, y: number, into: Uint16Array): void;
}";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "DeviceDecoder")]
    pub type DeviceDecoder;

    #[wasm_bindgen(method, structural)]
    fn decode(
        this: &DeviceDecoder,
        codec: &str,
        configuration: &[u8],
        width: u32,
        height: u32,
        data: &[u8],
    ) -> JsPicture;

    type JsPicture;

    #[wasm_bindgen(method, structural)]
    fn state(this: &JsPicture) -> String;

    #[wasm_bindgen(method, structural)]
    fn width(this: &JsPicture) -> u32;

    #[wasm_bindgen(method, structural)]
    fn height(this: &JsPicture) -> u32;

    #[wasm_bindgen(method, structural)]
    fn depth(this: &JsPicture) -> u8;

    #[wasm_bindgen(method, structural)]
    fn chroma(this: &JsPicture) -> String;

    #[wasm_bindgen(method, structural, js_name = copyRow)]
    fn copy_row(this: &JsPicture, plane: u32, y: u32, into: &mut [u16]);
}

impl Device for DeviceDecoder {
    fn decode(&self, picture: &Coded<'_>) -> Box<dyn DevicePicture> {
        let &Coded { codec, configuration, size, data } = picture;
        Box::new(Picture(self.decode(codec, configuration, size.width, size.height, data)))
    }
}

struct Picture(JsPicture);

impl DevicePicture for Picture {
    fn state(&self) -> State {
        match self.0.state().as_str() {
            "under-way" => State::UnderWay,
            "decoded" => State::Decoded,
            _ => State::Failed,
        }
    }
}

impl Planes for Picture {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }

    fn layout(&self) -> (u8, Sampling) {
        let sampling = match self.0.chroma().as_str() {
            "half" => Sampling::Half,
            "columns" => Sampling::Columns,
            _ => Sampling::Full,
        };
        (self.0.depth(), sampling)
    }

    fn copy_row(&self, plane: usize, y: u32, row: &mut [u16]) {
        self.0.copy_row(plane as u32, y, row);
    }
}
