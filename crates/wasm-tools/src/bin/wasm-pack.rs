//! `wasm-pack`: its library, whose own program also looks for newer versions of itself.

use anyhow::Result;
use clap::Parser;
use wasm_pack::{Cli, PBAR, command};

fn main() -> Result<()> {
    let cli = Cli::parse();
    PBAR.set_log_level(cli.log_level);
    PBAR.set_quiet(cli.quiet);
    command::run_wasm_pack(cli.cmd)
}
