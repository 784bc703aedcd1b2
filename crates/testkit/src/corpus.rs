//! The shared corpus of files from other programs, with the expected result of each; see the README beside it. It is
//! not part of the checkout. When it is missing, tests print a message and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raster::{ByteSource, Error, ImageInfo, Result, Warning};

use crate::cpu::timed;
use crate::{Picture, SplitSource};

/// One row of the corpus' `expectations.tsv`.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file's name in the table, such as `png/pngsuite/basn0g01.png`.
    pub name: String,
    /// The file's path on this machine.
    pub path: PathBuf,
    /// The width and height as stored, before orientation, if the file has them.
    pub size: Option<(u32, u32)>,
    /// The number of animation frames, pages or entries.
    pub frames: Option<u32>,
    /// The bits per sample as stored, if that is one number.
    pub bit_depth: Option<u8>,
    /// The meaning of the samples, in words.
    pub color: String,
    /// Whether a good decoder refuses the file.
    pub reject: bool,
    /// A note about the content of the file and the results of decoders.
    pub note: String,
    /// Whether every good decoder agrees; otherwise every result except a crash is accepted.
    pub must: bool,
    /// EXIF's number of the orientation, 2 to 8, when set.
    pub orientation: Option<u8>,
}

impl Row {
    /// Returns the file's bytes.
    ///
    /// # Panics
    /// When the file is missing in the corpus.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()))
    }
}

/// Returns all rows of one format (the folder's name: `png`, `jpeg`, `bmp` …), or `None` with a message when the corpus
/// is missing.
///
/// # Panics
/// When the corpus exists but its table is not valid, or has no row of that format.
#[must_use]
pub fn rows(format: &str) -> Option<Vec<Row>> {
    let corpus = shared("corpus")?;
    let table = fs::read_to_string(corpus.join("expectations.tsv")).expect("the corpus has its table");
    let rows: Vec<Row> = table
        .lines()
        .skip(1)
        .filter_map(|line| parse(line, &corpus))
        .filter(|(of, _)| of == format)
        .map(|(_, row)| row)
        .collect();
    assert!(!rows.is_empty(), "the corpus has no {format}");
    Some(rows)
}

/// Asserts that every file of a format has the same pixels, or the same kind of error, if its source returns fewer
/// bytes than requested.
///
/// # Panics
/// When this is not so, with the name of the file.
pub fn agree_when_split<P>(format: &str, decode: impl Fn(&dyn ByteSource) -> Result<(ImageInfo, P)>)
where
    P: PartialEq + core::fmt::Debug,
{
    let Some(rows) = rows(format) else { return };
    for (seed, row) in (0..).zip(rows) {
        let bytes = row.bytes();
        match (decode(&bytes), decode(&SplitSource::new(&bytes, seed))) {
            (Ok((_, whole)), Ok((_, split))) => assert_eq!(whole, split, "{}", row.name),
            (whole, split) => assert_eq!(whole.err().map(|e| e.code()), split.err().map(|e| e.code()), "{}", row.name),
        }
    }
}

/// The ends of file names, each with the behaviour of the other decoder.
pub type Exceptions = &'static [(&'static str, &'static str)];

/// Asserts that another decoder agrees on every valid file of a format, except for `exceptions`, and that it differs on
/// each exception, so that outdated exceptions are found.
///
/// # Panics
/// When this is not so, with the names and the messages of `compare`.
pub fn agree(format: &str, exceptions: Exceptions, compare: impl Fn(&Row) -> std::result::Result<(), String>) {
    let Some(rows) = rows(format) else { return };
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let excepted = exceptions.iter().any(|(name, _)| row.name.ends_with(name));
        let same = compare(row);
        if same.is_ok() == excepted {
            wrong.push(format!(
                "{}: excepted {excepted}, {}",
                row.name,
                same.err().unwrap_or_else(|| "the same".into())
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Asserts that invalid files are refused, and that disputed files end in a picture or an error. No file may take a
/// second of processor time or end in an `Io` or `Contradiction` error.
///
/// # Panics
/// When this is not so, with the names.
#[allow(clippy::print_stdout, reason = "the results of disputed files are for manual inspection")]
pub fn refuse(format: &str, read: impl Fn(&[u8]) -> Result<(Picture, Vec<Warning>)>) {
    let Some(rows) = rows(format) else { return };
    let mut failures = Vec::new();
    for row in rows.iter().filter(|row| row.reject || !row.must) {
        let bytes = row.bytes();
        let (outcome, time) = timed(|| read(&bytes));
        if time > Duration::from_secs(1) {
            failures.push(format!("{} took {time:?} of processor time", row.name));
        }
        match outcome {
            Ok((_, warnings)) if row.must => failures.push(format!("{} was read: {warnings:?}", row.name)),
            Err(error @ (Error::Contradiction(_) | Error::Io(_))) => failures.push(format!("{}: {error}", row.name)),
            Ok((picture, warnings)) => println!("{}: {picture:?} {warnings:?}", row.name),
            Err(error) => println!("{}: {error}", row.name),
        }
    }
    assert!(failures.is_empty(), "{} files:\n{}", failures.len(), failures.join("\n"));
}

/// Returns the photographs beside the corpus, sorted by name, or `None` with a message when they are missing.
///
/// # Panics
/// When the folder cannot be listed.
#[must_use]
pub fn photos() -> Option<Vec<PathBuf>> {
    let folder = shared("photos")?;
    let is_photo = |path: &PathBuf| {
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jpg") || e.eq_ignore_ascii_case("jpeg"))
    };
    let entries = fs::read_dir(folder).expect("a folder that can be listed");
    let mut photos: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_photo).collect();
    photos.sort();
    Some(photos)
}

/// Returns a folder of the material beside the checkout, or in `SHARED_DIR`.
#[allow(clippy::print_stderr, reason = "a skipped test must be visible")]
fn shared(folder: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("SHARED_DIR").map_or_else(beside, PathBuf::from).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {folder} at {} (SHARED_DIR may say where it is)", path.display());
    None
}

/// Parses a line of the table with its format. The columns are path, format, width, height, frames, bit depth, colour,
/// verdict, note, force, orientation, decoders; a dash stands for an empty column.
fn parse(line: &str, corpus: &Path) -> Option<(String, Row)> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[name, format, width, height, frames, bit_depth, color, verdict, note, force, orientation, ..] = &columns[..]
    else {
        assert!(line.trim().is_empty(), "not a row of the corpus' table: {line}");
        return None;
    };
    let size = width.parse().ok().zip(height.parse().ok());
    let row = Row {
        name: name.into(),
        path: corpus.join(name),
        size,
        frames: frames.parse().ok(),
        bit_depth: bit_depth.parse().ok(),
        color: color.into(),
        reject: verdict == "reject",
        note: note.into(),
        must: force == "must",
        orientation: orientation.parse().ok(),
    };
    Some((format.into(), row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_file_is_there() {
        let Some(png) = rows("png") else { return };
        assert!(png.iter().any(|row| row.must && row.reject) && png.iter().any(|row| row.size == Some((32, 32))));
        for format in ["png", "bmp", "jpeg"] {
            assert!(rows(format).unwrap().iter().all(|row| row.path.is_file()));
        }
    }

    #[test]
    fn photographs_are_found() {
        let Some(photos) = photos() else { return };
        assert!(photos.iter().all(|path| fs::read(path).unwrap().starts_with(&[0xFF, 0xD8])));
    }

    #[test]
    fn a_row_is_read_column_by_column() {
        let line = "png/a.png\tpng\t3\t4\t1\t8\tRGB\tdecode\tplain\tmust\t6\tlibpng=y";
        let (format, row) = parse(line, Path::new("/corpus")).unwrap();
        assert_eq!((format.as_str(), row.size, row.frames, row.bit_depth), ("png", Some((3, 4)), Some(1), Some(8)));
        assert_eq!((row.must, row.reject, row.orientation), (true, false, Some(6)));
        assert_eq!(row.path, Path::new("/corpus/png/a.png"));
    }
}
