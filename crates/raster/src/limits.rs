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

/// Counts a job's allocations against its limit. Clones share one count. Bytes are not given back one by one: a count
/// that only grows cannot be fooled by the order of things. What belongs to one page of many is counted in a
/// [`Budget::scope`], and given back with it.
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

/// Bytes that leave the count together.
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
    /// A fresh count under these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limit: limits.memory, count: Rc::default(), scope: None }
    }

    /// The same budget for something shorter: what is counted here is given back when the last clone of it is gone.
    #[must_use]
    pub fn scope(&self) -> Self {
        let scope = Scope { count: Rc::clone(&self.count), bytes: Cell::new(0) };
        Self { limit: self.limit, count: Rc::clone(&self.count), scope: Some(Rc::new(scope)) }
    }

    /// Bytes counted now.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.count.used.get()
    }

    /// The most that was counted at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.count.peak.get()
    }

    /// Counts memory that a library will allocate on our behalf.
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

    /// A vector of `len` copies of `value`, counted and allocated without ever aborting.
    ///
    /// # Errors
    /// [`Limit::Memory`] when the total would exceed the limit or the allocator refuses.
    pub fn filled<T: Clone>(&self, len: u64, value: T) -> Result<Vec<T>> {
        let mut vec = self.reserved(len)?;
        vec.resize(len as usize, value);
        Ok(vec)
    }

    /// An empty vector with room for `len` values, counted and allocated likewise.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_gives_back_what_it_counted_and_the_peak_remembers() {
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
