//! The budget of a file of many pages. A [`Budget`] never gives bytes back, but only one page is held at a time: each
//! has a budget of its own, and the caller's counts the largest.

use raster::error::Limit;
use raster::{Budget, Error, Limits, Result};

pub(super) struct Allowance {
    whole: Budget,
    /// What `whole` was charged for pages so far.
    peak: u64,
    page: Budget,
}

impl Allowance {
    pub(super) fn new(whole: &Budget) -> Self {
        Self { whole: whole.clone(), peak: 0, page: Budget::new(&Limits { memory: 0 }) }
    }

    /// Forgets the page before and begins the next one's budget: what that one had and what is left.
    pub(super) fn begin(&mut self) -> Budget {
        // A budget says what it may hold when it refuses.
        let limit = match self.whole.charge(u64::MAX) {
            Err(Error::Limit(Limit::Memory { have, .. })) => have,
            _ => 0,
        };
        let room = limit.saturating_sub(self.whole.used());
        self.page = Budget::new(&Limits { memory: self.peak + room });
        self.page.clone()
    }

    /// Charges the caller's budget for what the page holds beyond all pages before.
    ///
    /// # Errors
    /// [`Limit::Memory`] when others took it in the meantime.
    pub(super) fn settle(&mut self) -> Result<()> {
        let more = self.page.used().saturating_sub(self.peak);
        if more > 0 {
            self.whole.charge(more)?;
            self.peak += more;
        }
        Ok(())
    }

    /// The most that one page held.
    pub(super) const fn peak(&self) -> u64 {
        self.peak
    }
}
