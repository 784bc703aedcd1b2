//! The TypeScript types of the engine's choices, generated from the names that serde reads and writes. A new variant
//! appears in them automatically, and the page's exhaustive switches then do not compile.

use pipeline::{
    Compression, Decoding, JpegCoding, LightChoice, PaletteUse, Policy, ProfileChoice, Sharpening, Subsampling,
};
use raster::{Choice, Effort, Format, Mistake};
use resample::{Kernel, Ringing};
use wasm_bindgen::prelude::*;

/// A TypeScript declaration, built at compile time.
struct Declaration {
    bytes: [u8; 512],
    len: usize,
}

impl Declaration {
    /// Returns `export type Choice = "one name" | "another";`.
    const fn new(choice: &str, names: &[&str]) -> Self {
        let mut text = Self { bytes: [0; 512], len: 0 }.with("export type ").with(choice).with(" = \"");
        let mut index = 0;
        while index < names.len() {
            text = text.with(if index == 0 { "" } else { "\" | \"" }).with(names[index]);
            index += 1;
        }
        text.with("\";")
    }

    const fn with(mut self, text: &str) -> Self {
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.len] = text.as_bytes()[index];
            self.len += 1;
            index += 1;
        }
        self
    }

    const fn text(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

macro_rules! declare {
    ($($choice:ident)*) => {
        $(const _: () = {
            #[wasm_bindgen(typescript_custom_section)]
            const TYPE: &str = Declaration::new(stringify!($choice), <$choice as Choice>::NAMES).text();
        };)*
    };
}

declare!(
    Format Kernel Ringing LightChoice Decoding Sharpening ProfileChoice Policy Effort PaletteUse Compression JpegCoding
    Subsampling Mistake
);
