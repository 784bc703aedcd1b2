//! Limits of a job. Nothing image-sized is allocated except through a [`Budget`].

use core::cell::Cell;
use std::rc::Rc;

use crate::{Limit, Result, Size};

/// The engine's longest side, in pixels; formats have shorter ones.
pub const MAX_SIDE: u32 = 1_000_000;

/// The limits that a caller sets for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes that the job may hold at once.
    pub memory: u64,
}

impl Default for Limits {
    /// Returns 1 GiB, the memory of a page in the browser of a current phone.
    fn default() -> Self {
        Self { memory: 1 << 30 }
    }
}

/// A counter of a job's allocations, compared with its limit. Clones share one count. Bytes are not released one by
/// one: a count that only grows cannot depend on the order of releases. The memory of one page of many is counted in a
/// [`Budget::scope`] and released with it.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    count: Rc<Count>,
    scope: Option<Rc<Scope>>,
}

#[derive(Debug, Default)]
struct Count {
    used: Cell<u64>,
    peak: Cell<u64>,
}

/// Bytes that are released together.
#[derive(Debug)]
struct Scope {
    count: Rc<Count>,
    bytes: Cell<u64>,
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.count.used.set(self.count.used.get() - self.bytes.get());
    }
}

impl Budget {
    /// Creates an empty count under these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limit: limits.memory, count: Rc::default(), scope: None }
    }

    /// Returns the same budget for a shorter time: bytes charged to the scope are released when its last clone is
    /// dropped.
    #[must_use]
    pub fn scope(&self) -> Self {
        let scope = Scope { count: Rc::clone(&self.count), bytes: Cell::new(0) };
        Self { limit: self.limit, count: Rc::clone(&self.count), scope: Some(Rc::new(scope)) }
    }

    /// Returns the bytes charged now.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.count.used.get()
    }

    /// Returns the largest number of bytes charged at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.count.peak.get()
    }

    /// Charges memory that a library will allocate.
    ///
    /// # Errors
    /// [`Limit::Memory`] when the total would exceed the limit.
    pub fn charge(&self, bytes: u64) -> Result<()> {
        let need = self.used().saturating_add(bytes);
        if need > self.limit {
            return Err(self.refusal(need));
        }
        self.count.used.set(need);
        self.count.peak.set(self.peak().max(need));
        if let Some(scope) = &self.scope {
            scope.bytes.set(scope.bytes.get() + bytes);
        }
        Ok(())
    }

    /// Returns a vector of `len` copies of `value`, charged and allocated without aborting.
    ///
    /// # Errors
    /// [`Limit::Memory`] when the total would exceed the limit or the allocator fails.
    pub fn filled<T: Clone>(&self, len: u64, value: T) -> Result<Vec<T>> {
        let mut vec = self.reserved(len)?;
        vec.resize(len as usize, value);
        Ok(vec)
    }

    /// Returns an empty vector with space for `len` values, charged and allocated without aborting.
    ///
    /// # Errors
    /// As [`Budget::filled`].
    pub fn reserved<T>(&self, len: u64) -> Result<Vec<T>> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        self.charge(bytes)?;
        let len = usize::try_from(len).map_err(|_| self.refusal(bytes))?;
        let mut vec = Vec::new();
        vec.try_reserve_exact(len).map_err(|_| self.refusal(self.used()))?;
        Ok(vec)
    }

    fn refusal(&self, need: u64) -> crate::Error {
        Limit::Memory { need, have: self.limit }.into()
    }
}

/// Checks a size from a header before anything is allocated for it.
///
/// # Errors
/// [`Limit::NoSize`] for an empty side, [`Limit::Side`] above `max` (at most [`MAX_SIDE`]).
pub fn check_size(size: Size, max: u32) -> Result<()> {
    let max = max.min(MAX_SIDE);
    if size.is_empty() {
        return Err(Limit::NoSize(size).into());
    }
    if size.width > max || size.height > max {
        return Err(Limit::Side { size, max }.into());
    }
    Ok(())
}

/// Pixels that a header may always claim: reading so few takes little time, and memory follows the width.
const ALWAYS_PLAUSIBLE: u64 = 1 << 24;

/// Refuses a size that no file of `bytes` bytes can have, if a byte gives at most `pixels_per_byte` pixels. Readers
/// allow for files that are cut: a hundredth of the rows makes a picture.
///
/// # Errors
/// [`Limit::Implausible`].
pub fn check_plausible(claimed: Size, bytes: u64, pixels_per_byte: u64) -> Result<()> {
    if claimed.area() > ALWAYS_PLAUSIBLE.max(bytes.saturating_mul(pixels_per_byte)) {
        return Err(Limit::Implausible { claimed, bytes }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_releases_its_bytes_and_the_peak_stays() {
        let budget = Budget::new(&Limits { memory: 100 });
        budget.charge(40).unwrap();
        for _ in 0..3 {
            let page = budget.scope();
            let buffer = page.clone().filled(50, 0_u8).unwrap();
            assert_eq!((buffer.len(), budget.used()), (50, 90));
            assert_eq!(page.charge(11).unwrap_err().code(), "memory");
        }
        assert_eq!((budget.used(), budget.peak()), (40, 90));
    }
}
