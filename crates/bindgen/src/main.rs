//! `bindgen MODULE.wasm FOLDER NAME` writes the JavaScript glue, its types and the module for a module that cargo has
//! compiled. The files are those of `wasm-bindgen MODULE.wasm --target web --out-dir FOLDER --out-name NAME`. The
//! program `wasm-bindgen` also contains a web server, an HTTP client and a parser of arguments, so it takes twice as
//! long to compile.

use std::env::args;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let [_, module, folder, name] =
        <[String; 4]>::try_from(args().collect::<Vec<_>>()).ok().context("usage: bindgen MODULE.wasm FOLDER NAME")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .out_name(&name)
        .generate(folder)
}
