//! The output to which directories are written.

use raster::{ByteSink, Result};

/// A sink that counts its bytes.
pub struct Output<'a> {
    sink: &'a mut dyn ByteSink,
    at: u64,
    /// Whether a directory stands before its values, as in EXIF blocks, or behind them.
    pub(crate) directories_first: bool,
}

impl<'a> Output<'a> {
    /// Writes `header` to the sink; [`Output::patch`] may replace it later. Directories stand behind their values.
    ///
    /// # Errors
    /// `Io`.
    pub fn new(sink: &'a mut dyn ByteSink, header: &[u8]) -> Result<Self> {
        sink.write(header)?;
        Ok(Self { sink, at: header.len() as u64, directories_first: false })
    }

    /// Returns the offset of the next byte.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.at
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// `Io`.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Appends bytes at an even offset, which TIFF 6.0 §2 requires for values and directories, and returns the offset.
    ///
    /// # Errors
    /// `Io`.
    pub fn place(&mut self, bytes: &[u8]) -> Result<u64> {
        if !self.at.is_multiple_of(2) {
            self.write(&[0])?;
        }
        let at = self.at;
        self.write(bytes)?;
        Ok(at)
    }

    /// Appends zeros up to the offset `at`.
    ///
    /// # Errors
    /// `Io`.
    pub fn fill_to(&mut self, at: u64) -> Result<()> {
        const ZEROS: [u8; 4096] = [0; 4096];
        while self.at < at {
            let len = (at - self.at).min(ZEROS.len() as u64);
            self.write(&ZEROS[..len as usize])?;
        }
        Ok(())
    }

    /// Overwrites bytes.
    ///
    /// # Errors
    /// `Io`.
    pub fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.sink.patch(offset, bytes)
    }
}
