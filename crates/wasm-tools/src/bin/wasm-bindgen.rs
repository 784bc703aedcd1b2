//! `wasm-bindgen`, the program that wasm-pack calls, with the options that wasm-pack passes for a web page. It writes
//! the JavaScript glue, its types and the module, byte for byte as the program of wasm-bindgen-cli does. That one also
//! contains a web server, an HTTP client and a test runner, so it takes twice as long to compile.

use std::env::args;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: wasm-bindgen MODULE.wasm --out-dir FOLDER --typescript --target web --out-name NAME";

fn main() -> Result<()> {
    let mut bindgen = Bindgen::new();
    let mut folder = None;
    let mut arguments = args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().context(USAGE);
        match argument.as_str() {
            "--version" => {
                // wasm-pack compares it with the version in the workspace's Cargo.lock.
                println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
                return Ok(());
            }
            "--typescript" => _ = bindgen.typescript(true),
            "--out-dir" => folder = Some(value()?),
            "--out-name" => _ = bindgen.out_name(&value()?),
            "--target" => _ = bindgen.web(value()? == "web")?,
            option if option.starts_with("--") => bail!("unknown option {option}; {USAGE}"),
            module => _ = bindgen.input_path(module),
        }
    }
    bindgen.omit_default_module_path(false).generate(folder.context(USAGE)?)
}
