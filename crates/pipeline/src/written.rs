//! The state of a job's output: the promise of the pictures written so far, and warnings for the user.

use raster::{Budget, Error, ImageInfo, Orientation, Result, Warning};

use crate::job::Job;
use crate::picture::Picture;
use crate::verify::Promise;

/// The pictures of a file that is being written.
#[derive(Default)]
pub(crate) struct Written {
    /// The promise, or `None` before the first picture.
    promise: Option<Promise>,
    /// The number of parts that were left out.
    skipped: u32,
    /// The damage of the first part that was left out.
    damage: Option<Error>,
}

impl Written {
    /// Adds a complete picture; `is_transparent` states that one of its pixels is not opaque. The promise keeps a copy
    /// of the first picture's profile, which is charged to `budget`.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for the profile.
    pub(crate) fn add(&mut self, picture: &Picture, is_transparent: bool, job: &Job, budget: &Budget) -> Result<()> {
        let icc = picture.labels.metadata.icc.as_ref();
        if self.promise.is_none() {
            budget.charge(icc.map_or(0, |icc| icc.len() as u64))?;
        }
        let promise = self.promise.get_or_insert_with(|| Promise {
            format: job.encoding.traits().format,
            sizes: Vec::new(),
            orientation: Orientation::Upright,
            is_transparent,
            depth: picture.header.pixels.depth,
            icc: icc.cloned(),
            has_gain_map: picture.labels.metadata.gain_map.is_some(),
            policy: job.metadata,
        });
        promise.sizes.push(picture.header.size);
        Ok(())
    }

    /// The number of bytes that the promise holds.
    pub(crate) fn byte_len(&self) -> u64 {
        self.promise.as_ref().map_or(0, Promise::byte_len)
    }

    /// Leaves out a part whose frame is damaged.
    ///
    /// # Errors
    /// `error` itself when it is not damage of the file: a defect of the engine, a limit or a failing source ends the
    /// job.
    pub(crate) fn skip(&mut self, error: Error) -> Result<()> {
        if !matches!(error, Error::Malformed { .. }) {
            return Err(error);
        }
        self.skipped += 1;
        self.damage.get_or_insert(error);
        Ok(())
    }

    /// Ends the job. Returns a warning if parts were left out.
    ///
    /// # Errors
    /// The damage when no part was written.
    pub(crate) fn check(&mut self, job: &Job) -> Result<Option<Warning>> {
        if self.promise.is_none() {
            return Err(self.damage.take().unwrap_or(Error::Contradiction("a job without parts")));
        }
        let (skipped, of) = (self.skipped, job.parts.len() as u32);
        Ok((skipped > 0).then_some(Warning::FramesSkipped { skipped, of }))
    }

    /// Compares the promise with the header of the written file.
    ///
    /// # Errors
    /// Errors of [`Promise::verify`].
    pub(crate) fn verify(&self, info: &ImageInfo) -> Result<()> {
        self.promise.as_ref().map_or(Ok(()), |promise| promise.verify(info))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Format, Limit};

    #[test]
    fn only_damage_of_the_file_is_skipped() {
        let damage = || Error::malformed(Format::Png, 9, "cut");
        let mut written = Written::default();
        assert!(written.skip(damage()).is_ok());
        let others = [Error::Contradiction("a defect"), Limit::Parts("scans").into()];
        for error in others {
            let code = error.code();
            assert_eq!(written.skip(error).unwrap_err().code(), code);
        }
        assert_eq!(written.skipped, 1);
    }
}
