//! The part of `binary-install` that finds installed programs. It downloads none.

use std::path::{Path, PathBuf};
use std::{env, io};

use anyhow::{Result, bail};

/// A folder for downloads, which stays empty.
pub struct Cache {
    /// The path of the folder.
    pub destination: PathBuf,
}

impl Cache {
    /// Returns a folder for temporary files. It is not created.
    pub fn new(name: &str) -> Result<Self> {
        Ok(Self::at(&env::temp_dir().join(name)))
    }

    /// Returns the cache in a folder.
    pub fn at(path: &Path) -> Self {
        Self { destination: path.to_owned() }
    }

    /// Returns a path in the folder.
    pub fn join(&self, path: &Path) -> PathBuf {
        self.destination.join(path)
    }

    /// Fails, because this crate downloads nothing.
    pub fn download(&self, _permitted: bool, name: &str, _binaries: &[&str], url: &str) -> Result<Option<Download>> {
        bail!("{name} is not on PATH, and nothing is downloaded from {url}")
    }
}

/// A folder with programs.
#[derive(Clone, Debug)]
pub struct Download {
    folder: PathBuf,
}

impl Download {
    /// Returns the programs in a folder.
    pub fn at(path: &Path) -> Self {
        Self { folder: path.to_owned() }
    }

    /// Returns the path of a program.
    pub fn binary(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name).with_extension(env::consts::EXE_EXTENSION);
        match path.is_file() {
            true => Ok(path),
            false => Err(io::Error::new(io::ErrorKind::NotFound, path.display().to_string()).into()),
        }
    }

    /// Returns the folder.
    pub fn path(&self) -> PathBuf {
        self.folder.clone()
    }
}
