//! A counter of rows read and written, which reports progress about a hundred times a job, and at the end of each part.

use core::cell::{Cell, RefCell};

/// The rows done so far, shared by the stages of one job. Every part of a job has the same weight, for any number of
/// rows.
pub(crate) struct Progress<'a> {
    tell: RefCell<&'a mut dyn FnMut(u64, u64)>,
    parts: u64,
    parts_done: Cell<u64>,
    /// The rows done of the current part.
    done: Cell<u64>,
    total: Cell<u64>,
}

impl<'a> Progress<'a> {
    /// Creates a counter of `parts` parts; `tell` receives (done, total).
    pub(crate) fn new(parts: usize, tell: &'a mut dyn FnMut(u64, u64)) -> Self {
        let zero = || Cell::new(0);
        Self { tell: RefCell::new(tell), parts: parts as u64, parts_done: zero(), done: zero(), total: zero() }
    }

    /// Sets the number of rows of the current part.
    pub(crate) fn expect(&self, rows: u64) {
        self.done.set(0);
        self.total.set(rows.max(1));
    }

    /// Counts one more row.
    pub(crate) fn step(&self) {
        self.advance(self.done.get() + 1);
    }

    /// Completes the part, whose remaining rows are done or not needed.
    pub(crate) fn part_done(&self) {
        self.advance(self.total.get());
        self.parts_done.set(self.parts_done.get() + 1);
        self.done.set(0);
    }

    fn advance(&self, done: u64) {
        let rows = self.total.get();
        let (before, all) = (self.parts_done.get() * rows, self.parts * rows);
        let hundredth = |done: u64| (before + done) * 100 / all.max(1);
        let ends_part = done == rows && self.done.get() != rows;
        if ends_part || hundredth(done) != hundredth(self.done.get()) {
            (self.tell.borrow_mut())(before + done, all);
        }
        self.done.set(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_each_part_is_told_once() {
        let mut told = Vec::new();
        let mut tell = |done, all| told.push((done, all));
        let progress = Progress::new(1000, &mut tell);
        for _ in 0..1000 {
            progress.expect(4);
            (0..4).for_each(|_| progress.step());
            progress.part_done();
        }
        let ends: Vec<_> = (1..=1000).map(|part| (part * 4, 4000)).collect();
        assert_eq!(told, ends);
    }

    #[test]
    fn a_single_part_is_told_a_hundred_times() {
        let mut count = 0;
        let mut tell = |_, _| count += 1;
        let progress = Progress::new(1, &mut tell);
        progress.expect(4000);
        (0..4000).for_each(|_| progress.step());
        progress.part_done();
        assert_eq!(count, 100);
    }
}
