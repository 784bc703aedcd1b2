//! The shared corpus of foreign files and what is expected of each; see the README beside it. It is not part of the
//! checkout: where it is missing, tests say so aloud and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raster::{Error, Result, Warning};

use crate::Picture;
use crate::cpu::timed;

/// One row of the corpus' `expectations.tsv`.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file as the table names it, such as `png/pngsuite/basn0g01.png`.
    pub name: String,
    /// Where it lies on this machine.
    pub path: PathBuf,
    /// Width and height as stored, before orientation, where there is one.
    pub size: Option<(u32, u32)>,
    /// Animation frames, pages or entries.
    pub frames: Option<u32>,
    /// Bits per sample as stored, where that is one number.
    pub bit_depth: Option<u8>,
    /// What the samples are, in words.
    pub color: String,
    /// Whether a good decoder refuses the file.
    pub reject: bool,
    /// What is in the file and what decoders made of it.
    pub note: String,
    /// Whether every good decoder agrees; otherwise any outcome but a crash is fine.
    pub must: bool,
    /// EXIF's number of the orientation, 2 to 8, when set.
    pub orientation: Option<u8>,
}

impl Row {
    /// The file's bytes.
    ///
    /// # Panics
    /// When the corpus lists a file that it does not hold.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()))
    }
}

/// All rows of one format (the folder's name: `png`, `jpeg`, `bmp` …), or nothing, loudly, where the corpus is missing.
///
/// # Panics
/// When the corpus is there but its table is not what it should be, or has no row of that format.
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

/// Files by the end of their names, and what the other decoder does with them.
pub type Exceptions = &'static [(&'static str, &'static str)];

/// Every sound file of a format is seen by another decoder as it is here, but for the exceptions, and those are not: a
/// list that nobody prunes hides mistakes.
///
/// # Panics
/// When that is not so, with the names and what `compare` says of them.
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

/// What must be refused is, and disputed files end in a picture or an error. None takes a second of processor
/// time, and none is blamed on the carrier or on ourselves.
///
/// # Panics
/// When that is not so, with the names.
#[allow(clippy::print_stdout, reason = "what becomes of disputed files is for people to look at")]
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

/// The photographs beside the corpus, sorted by name, or nothing, loudly, where they are missing.
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

/// A folder of the material that lies beside the checkout, or where `SHARED_DIR` says.
#[allow(clippy::print_stderr, reason = "a test that was left out must be seen")]
fn shared(folder: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("SHARED_DIR").map_or_else(beside, PathBuf::from).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {folder} at {} (SHARED_DIR may say where it is)", path.display());
    None
}

/// A line of the table with its format. Columns: path, format, width, height, frames, bit depth, colour, verdict, note,
/// force, orientation, decoders; a dash for nothing.
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
