//! The conversion of values to and from JavaScript that `tsify` takes from the crate `gloo-utils`.
//!
//! That crate depends on `js-sys` and `web-sys`, bindings of all of JavaScript and of documents. Compiling them took
//! a sixth of the processor time of the core. The root manifest puts this crate in the place of the other
//! (`[patch.crates-io]`), under its name.

#![allow(clippy::wrong_self_convention, reason = "tsify calls `into_serde` with a reference")]

/// Conversion by way of JSON.
pub mod format {
    use serde::{Serialize, de::DeserializeOwned};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = JSON, catch)]
        fn parse(text: &str) -> Result<JsValue, JsValue>;

        #[wasm_bindgen(js_namespace = JSON, catch)]
        fn stringify(value: &JsValue) -> Result<String, JsValue>;
    }

    /// Conversion between a [`JsValue`] and the types of `serde`.
    pub trait JsValueSerdeExt: Sized {
        /// Returns the JavaScript value that has the JSON text of `value`.
        ///
        /// # Errors
        ///
        /// If `value` cannot be written as JSON.
        fn from_serde<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self>;

        /// Returns the value that is read from the JSON text of this one; `undefined` is read as `null`.
        ///
        /// # Errors
        ///
        /// If the text does not describe a `T`.
        fn into_serde<T: DeserializeOwned>(&self) -> serde_json::Result<T>;
    }

    impl JsValueSerdeExt for JsValue {
        fn from_serde<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
            Ok(parse(&serde_json::to_string(value).unwrap_throw()).unwrap_throw())
        }

        fn into_serde<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
            if self.is_undefined() {
                return serde_json::from_str("null");
            }
            serde_json::from_str(&stringify(self).unwrap_throw())
        }
    }
}
