//! Files of the operating system as a byte source and a byte sink.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use raster::{ByteSink, ByteSource, IoError, Result};
use tempfile::NamedTempFile;

use crate::failure::about;

/// A file to read.
pub(crate) struct FileSource {
    file: RefCell<File>,
    len: u64,
    path: PathBuf,
}

impl FileSource {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let failed = |e: std::io::Error| IoError::Read(about(path, &e));
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(IoError::Read(format!("{}: not a file", path.display())).into());
        }
        Ok(Self { file: RefCell::new(file), len: metadata.len(), path: path.into() })
    }
}

impl ByteSource for FileSource {
    fn byte_len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let mut file = self.file.borrow_mut();
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read(into));
        Ok(read.map_err(|e| IoError::Read(about(&self.path, &e)))?)
    }
}

/// The unfinished files, which a signal must remove.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl+C and SIGTERM remove unfinished files before they end the program.
pub(crate) fn clean_up_when_interrupted() {
    const INTERRUPTED: i32 = 130; // 128 + SIGINT, as in shells
    // Setting the handler fails only when there is another one, and there is none.
    let _ = ctrlc::set_handler(|| {
        // The guard is kept until the end, so that no thread creates another file meanwhile.
        let paths = unfinished();
        for path in &*paths {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// A file that is written beside its final path; dropping it before [`FileSink::keep`] removes it.
pub(crate) struct FileSink {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl FileSink {
    /// Creates the file. Anything but a file (a folder, a device) is not replaced; a link stays, and its target is
    /// replaced.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let path = &path.canonicalize().unwrap_or_else(|_| path.into());
        if path.exists() && !path.is_file() {
            return Err(IoError::Write(format!("{}: not a file", path.display())).into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // The permissions are those of any new file; the umask restricts them.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut unfinished = unfinished();
        let file = builder.tempfile_in(folder).map_err(|e| IoError::Write(about(path, &e)))?;
        unfinished.insert(file.path().into());
        Ok(Self { file: BufWriter::new(file), path: path.into() })
    }

    /// Moves the finished file to its final path.
    pub(crate) fn keep(self) -> Result<()> {
        let path = self.path;
        let failed = |e: std::io::Error| IoError::Write(about(&path, &e));
        let file = self.file.into_inner().map_err(|e| failed(e.into_error()))?;
        let temporary = file.path().to_path_buf();
        file.persist(&path).map_err(|e| failed(e.error))?;
        unfinished().remove(&temporary);
        Ok(())
    }

    fn failed(&self, e: &std::io::Error) -> IoError {
        IoError::Write(about(&self.path, e))
    }
}

impl ByteSink for FileSink {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        Ok(written.map_err(|e| self.failed(&e))?)
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let patched = self
            .file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.write_all(bytes))
            .and_then(|()| self.file.seek(SeekFrom::End(0)));
        patched.map(drop).map_err(|e| self.failed(&e).into())
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        self.file.flush().map_err(|e| self.failed(&e))?;
        Ok(Box::new(FileSource::open(self.file.get_ref().path())?))
    }
}
