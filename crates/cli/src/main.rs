//! The engine from a shell: `resize IN -o OUT …` and `probe IN`. Tests and benches drive it; people may too.
//!
//! Exit codes: 0 done, 2 wrong call, 3 malformed file, 4 unsupported, 5 over a limit, 6 input or output. The reason is
//! one line on stderr.

mod args;
mod describe;
mod files;
mod parts;
mod sizing;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use pipeline::{Job, Output, Report};
use raster::error::NotAnImage;
use raster::{Error, Format, Limits, Result};

use args::{Cli, Command, Probe, Relabel, Resize};
use files::{FileSink, FileSource};

fn main() -> ExitCode {
    files::clean_up_when_interrupted();
    let done = match Cli::try_parse().map(|cli| cli.command) {
        Ok(Command::Resize(resize)) => run(&resize),
        Ok(Command::Relabel(copy)) => relabel(&copy),
        Ok(Command::Probe(probe)) => show(&probe),
        Err(error) if error.use_stderr() => Err(Failure::wrong_call(first_paragraph(&error.to_string()))),
        Err(help) => help.exit(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, reason }) => {
            complain(&reason);
            ExitCode::from(code)
        }
    }
}

/// An exit code and the reason for it.
struct Failure {
    code: u8,
    reason: String,
}

impl Failure {
    fn wrong_call(reason: impl Into<String>) -> Self {
        Self { code: 2, reason: reason.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Malformed { .. } | Error::NotAnImage(NotAnImage::Empty | NotAnImage::Unknown) => 3,
            Error::Unsupported { .. } | Error::NotAnImage(NotAnImage::Other(_)) => 4,
            Error::Limit(_) => 5,
            Error::Io(_) => 6,
            Error::Contradiction(_) => 70, // EX_SOFTWARE: a defect of ours
        };
        Self { code, reason: error.to_string() }
    }
}

/// Resizes one file. The output appears under its name only when it is whole.
fn run(resize: &Resize) -> Result<(), Failure> {
    let source = FileSource::open(&resize.input)?;
    let limits = limits(resize.memory)?;
    let info = pipeline::probe(&source, &limits)?;
    let format = match resize.output.extension().and_then(|extension| extension.to_str()) {
        Some(extension) => Format::from_extension(extension)
            .ok_or_else(|| Failure::wrong_call(format!("no format is called .{extension}")))?,
        None => info.format,
    };
    let job = Job {
        parts: parts::parts(&info, format, resize).map_err(Failure::wrong_call)?,
        kernel: resize.kernel,
        light: resize.light.into(),
        output: Output {
            quality: resize.quality,
            effort: resize.effort.into(),
            compression: resize.compression.into(),
            ..Output::new(format)
        },
        metadata: resize.metadata.into(),
        limits,
    };
    let mut sink = FileSink::create(&resize.output)?;
    let report = pipeline::run(&source, &mut sink, &job, &mut |_, _| {})?;
    sink.keep()?;
    note(&report);
    Ok(())
}

/// Copies one file with other metadata.
fn relabel(copy: &Relabel) -> Result<(), Failure> {
    let source = FileSource::open(&copy.input)?;
    let limits = limits(copy.memory)?;
    let mut sink = FileSink::create(&copy.output)?;
    let report = pipeline::relabel(&source, &mut sink, copy.metadata.into(), &limits)?;
    sink.keep()?;
    note(&report);
    Ok(())
}

fn note(report: &Report) {
    for warning in &report.warnings {
        complain(&format!("note: {}", describe::warning(warning)));
    }
}

fn show(probe: &Probe) -> Result<(), Failure> {
    let source = FileSource::open(&probe.input)?;
    let info = pipeline::probe(&source, &limits(probe.memory)?)?;
    let text = if probe.json { describe::json(&info) } else { describe::sentence(&info) };
    say(&text);
    Ok(())
}

fn limits(mebibytes: u64) -> Result<Limits, Failure> {
    let memory = mebibytes.checked_mul(1 << 20).filter(|&bytes| bytes > 0);
    let memory = memory.ok_or_else(|| Failure::wrong_call("--memory must be at least 1 and sensible"))?;
    Ok(Limits { memory })
}

/// Prints a line; a reader that has gone away is no reason to panic.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints one line on stderr.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.replace('\n', " "));
}

/// What is wrong with a call, out of clap's message, which goes on with usage and tips over several lines.
fn first_paragraph(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}

/// `path: why`, for errors of the operating system.
fn about(path: &Path, why: &io::Error) -> String {
    format!("{}: {why}", path.display())
}
