//! Counts rows in and rows out, and tells whoever waits about a hundred times a job.

use core::cell::{Cell, RefCell};

/// Rows done so far, shared by the stages of one job.
pub(crate) struct Progress<'a> {
    tell: RefCell<&'a mut dyn FnMut(u64, u64)>,
    done: Cell<u64>,
    total: u64,
}

impl<'a> Progress<'a> {
    /// Counts to `total`; `tell` gets (done, total).
    pub(crate) fn new(total: u64, tell: &'a mut dyn FnMut(u64, u64)) -> Self {
        Self { tell: RefCell::new(tell), done: Cell::new(0), total }
    }

    /// One row more.
    pub(crate) fn step(&self) {
        let done = self.done.get() + 1;
        self.done.set(done);
        let hundredth = |rows: u64| rows * 100 / self.total.max(1);
        if hundredth(done) != hundredth(done - 1) {
            (self.tell.borrow_mut())(done, self.total);
        }
    }
}
