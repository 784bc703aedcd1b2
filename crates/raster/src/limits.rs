//! Bounds on what one job may use. Nothing image-sized is allocated except through a [`Budget`].

use core::cell::Cell;
use std::rc::Rc;

use crate::{Limit, Result, Size};

/// The engine's own longest side, in pixels; formats have shorter ones.
pub const MAX_SIDE: u32 = 1_000_000;

/// What a caller allows one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the job may hold at once.
    pub memory: u64,
}

impl Default for Limits {
    /// 1 GiB: what a current phone's browser gives a page.
    fn default() -> Self {
        Self { memory: 1 << 30 }
    }
}

/// Counts a job's allocations against its limit. Clones share one count. Bytes are never given back: a job is
/// short, and a count that only grows cannot be fooled by the order of things.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    used: Rc<Cell<u64>>,
}

impl Budget {
    /// A fresh count under these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limit: limits.memory, used: Rc::default() }
    }

    /// Bytes counted so far.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Counts memory that a library will allocate on our behalf.
    ///
    /// # Errors
    /// [`Limit::Memory`] when the total would exceed the limit.
    pub fn charge(&self, bytes: u64) -> Result<()> {
        let need = self.used.get().saturating_add(bytes);
        if need > self.limit {
            return Err(self.refusal(need));
        }
        self.used.set(need);
        Ok(())
    }

    /// A vector of `len` copies of `value`, counted and allocated without ever aborting.
    ///
    /// # Errors
    /// [`Limit::Memory`] when the total would exceed the limit or the allocator refuses.
    pub fn filled<T: Clone>(&self, len: u64, value: T) -> Result<Vec<T>> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        self.charge(bytes)?;
        let len = usize::try_from(len).map_err(|_| self.refusal(bytes))?;
        let mut vec = Vec::new();
        vec.try_reserve_exact(len).map_err(|_| self.refusal(self.used()))?;
        vec.resize(len, value);
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
