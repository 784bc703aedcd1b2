//! The engine from a shell: `resize IN… -o OUT`, `relabel IN -o OUT` and `probe IN…`.
//!
//! Exit codes: 0 done, 2 wrong call, 3 damaged file or no image, 4 unsupported, 5 over a limit, 6 input or output, 70 a
//! defect of the program; for several files the highest. Every reason is one line on stderr.

mod args;
mod batch;
mod describe;
mod failure;
mod files;
mod inputs;
mod naming;
mod parts;
mod quality_search;
mod resize;
mod sizing;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use pipeline::{Changes, Report};
use raster::{Limits, Notes};

use args::{Cli, Command, Probe, Relabel};
use failure::Failure;
use files::{FileSink, FileSource};
use inputs::collect;

fn main() -> ExitCode {
    files::clean_up_when_interrupted();
    let done = match Cli::try_parse().map(|cli| cli.command) {
        Ok(Command::Resize(resize)) => resize::resize(&resize),
        Ok(Command::Relabel(copy)) => relabel(&copy),
        Ok(Command::Probe(probe)) => show_all(&probe),
        Err(error) if error.use_stderr() => Err(Failure::wrong_call(first_paragraph(&error.to_string()))),
        Err(help) => help.exit(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, reason }) => {
            // The reasons of several files have been printed already.
            if !reason.is_empty() {
                complain(&reason);
            }
            ExitCode::from(code)
        }
    }
}

/// Copies one file with other metadata.
fn relabel(copy: &Relabel) -> Result<(), Failure> {
    let source = FileSource::open(&copy.input)?;
    let limits = limits(copy.memory)?;
    let mut sink = FileSink::create(&copy.output)?;
    let changes = Changes { density: copy.dpi, ..copy.metadata.into() };
    let report = pipeline::relabel(&source, &mut sink, &changes, &limits)?;
    sink.keep()?;
    print_notes(&report);
    Ok(())
}

fn print_notes(report: &Report) {
    for warning in &report.warnings {
        complain(&format!("note: {}", describe::warning(warning)));
    }
}

/// Prints the headers of all files, with a file name in front when there are several.
fn show_all(probe: &Probe) -> Result<(), Failure> {
    let limits = limits(probe.memory)?;
    if let [input] = probe.inputs.as_slice()
        && !input.is_dir()
    {
        say(&show(input, probe, &limits)?);
        return Ok(());
    }
    let mut worst = 0;
    for input in collect(&probe.inputs, None) {
        let shown = input.and_then(|input| Ok((show(&input.path, probe, &limits)?, input.path)));
        match shown {
            Ok((text, path)) => say(&format!("{}: {text}", path.display())),
            Err(failure) => {
                complain(&failure.reason);
                worst = worst.max(failure.code);
            }
        }
    }
    if worst == 0 { Ok(()) } else { Err(Failure { code: worst, reason: String::new() }) }
}

fn show(path: &Path, probe: &Probe, limits: &Limits) -> Result<String, Failure> {
    let source = FileSource::open(path)?;
    let notes = Notes::default();
    let info = pipeline::probe(&source, limits, &notes)?;
    let describe = if probe.json { describe::json } else { describe::sentence };
    Ok(describe(&info, &notes))
}

fn limits(mebibytes: u64) -> Result<Limits, Failure> {
    let memory = mebibytes.checked_mul(1 << 20).filter(|&bytes| bytes > 0);
    let memory = memory.ok_or_else(|| Failure::wrong_call("--memory must be at least 1 and sensible"))?;
    Ok(Limits { memory })
}

/// Prints a line. A closed pipe does not cause a panic.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints one line on stderr.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.replace('\n', " "));
}

/// Returns the defect of a call from clap's message, without the following lines of usage and tips.
fn first_paragraph(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}
