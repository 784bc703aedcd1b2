//! The files of a call: single files, and the files inside of folders.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::Failure;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// The folder of the file below the named folder; empty for a file that was named itself.
    pub(crate) folder: PathBuf,
    /// Whether the file was found in a folder. Files there that are not images are skipped without a message.
    pub(crate) found: bool,
}

/// Returns every named file, and all files below named folders, sorted by name. Files below `except`, the folder for
/// results, are left out, so that a second run does not resize the results of the first. Links are followed.
pub(crate) fn collect(named: &[PathBuf], except: Option<&Path>) -> Vec<Result<Input, Failure>> {
    let except = except.and_then(|folder| folder.canonicalize().ok());
    named.iter().flat_map(|path| expand(path, except.as_deref())).collect()
}

fn expand(path: &Path, except: Option<&Path>) -> Vec<Result<Input, Failure>> {
    if !path.is_dir() {
        return vec![Ok(Input { path: path.into(), folder: PathBuf::new(), found: false })];
    }
    let is_results = |entry: &walkdir::DirEntry| {
        // The output folder may be the folder of the originals, therefore the named folder itself is never left out.
        let below = entry.depth() > 0 && entry.file_type().is_dir();
        below && except.is_some() && entry.path().canonicalize().ok().as_deref() == except
    };
    WalkDir::new(path)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !is_results(entry))
        .filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_file() => {
                let folder = entry.path().parent().and_then(|folder| folder.strip_prefix(path).ok());
                let folder = folder.unwrap_or(Path::new("")).into();
                Some(Ok(Input { path: entry.into_path(), folder, found: true }))
            }
            Ok(_) => None,
            Err(error) => Some(Err(Failure { code: 6, reason: error.to_string() })),
        })
        .collect()
}
