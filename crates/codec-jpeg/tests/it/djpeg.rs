//! The reference programs: libjpeg-turbo's djpeg and cjpeg.

#![allow(clippy::print_stderr, reason = "a skipped comparison must be visible")]

use std::io::Write;
use std::process::{Command, Stdio};

/// The samplings of the grids: for `cjpeg -sample`, of each component or of the first one.
pub(crate) const SAMPLINGS: [&str; 16] = [
    "1x1",
    "2x1",
    "1x2",
    "2x2",
    "4x1",
    "1x4",
    "4x2",
    "2x4",
    "3x1",
    "1x3",
    "1x1,2x1,1x1",
    "1x1,2x2,1x2",
    "1x2,1x1,2x1",
    "2x2,2x1,1x2",
    "4x2,1x1,2x2",
    "2x2,1x2,2x1",
];

use raster::{PixelFormat, Size};
use testkit::Picture;

/// Decodes a file with djpeg. Returns `None` when djpeg refuses it, or, with a message, when djpeg is missing.
pub(crate) fn decode(jpeg: &[u8]) -> Option<Picture> {
    parse(&pipe("djpeg", &["-pnm"], jpeg)?.bytes)
}

/// Decodes a file with djpeg. Also returns whether djpeg warned of anything.
pub(crate) fn decode_warned(jpeg: &[u8]) -> Option<(Picture, bool)> {
    let Output { bytes, warned } = pipe("djpeg", &["-pnm"], jpeg)?;
    Some((parse(&bytes)?, warned))
}

/// Decodes a file with djpeg at a fraction of its size.
pub(crate) fn decode_scaled(jpeg: &[u8], reduction: u32) -> Option<Picture> {
    parse(&pipe("djpeg", &["-pnm", "-scale", &format!("1/{reduction}")], jpeg)?.bytes)
}

/// The arguments that let cjpeg use our quantisation table for all components.
pub(crate) const TABLE: [&str; 4] =
    ["-qtables", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/table.txt"), "-qslots", "0"];

/// Encodes a picture with cjpeg. Returns `None` when cjpeg refuses it, or, with a message, when cjpeg is missing.
pub(crate) fn encode(picture: &Picture, arguments: &[&str]) -> Option<Vec<u8>> {
    let kind = if picture.pixels == PixelFormat::GRAY8 { 5 } else { 6 };
    let mut pnm = format!("P{kind} {} {} 255\n", picture.size.width, picture.size.height).into_bytes();
    pnm.extend(&picture.rows);
    Some(pipe("cjpeg", arguments, &pnm)?.bytes)
}

/// Returns the copy that jpegtran makes. Returns `None` when it refuses, or, with a message, when it is missing.
pub(crate) fn jpegtran(jpeg: &[u8], arguments: &[&str]) -> Option<Vec<u8>> {
    Some(pipe("jpegtran", arguments, jpeg)?.bytes)
}

/// What a program wrote, and whether it ended with a warning.
struct Output {
    bytes: Vec<u8>,
    warned: bool,
}

fn pipe(program: &str, arguments: &[&str], input: &[u8]) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        eprintln!("SKIPPED: no {program} to compare with (Debian: libjpeg-turbo-progs)");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    let feeder = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    let _ = feeder.join().unwrap(); // a program that refuses closes its end
    let warned = output.status.code() == Some(2);
    (output.status.success() || warned).then_some(Output { bytes: output.stdout, warned })
}

/// Parses `P5` or `P6`, width, height, 255, each ended by one space or line end; then rows.
fn parse(pnm: &[u8]) -> Option<Picture> {
    let mut fields = pnm.splitn(5, |byte| byte.is_ascii_whitespace());
    let pixels = match fields.next()? {
        b"P5" => PixelFormat::GRAY8,
        b"P6" => PixelFormat::RGB8,
        _ => return None,
    };
    let mut number = || -> Option<u32> { core::str::from_utf8(fields.next()?).ok()?.parse().ok() };
    let size = Size::new(number()?, number()?);
    assert_eq!(number(), Some(255));
    let rows = fields.next()?.to_vec();
    assert_eq!(rows.len() as u64, pixels.row_bytes(size.width) * u64::from(size.height));
    Some(Picture { size, pixels, rows })
}
