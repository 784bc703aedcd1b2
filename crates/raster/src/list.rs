//! Lists whose length a file shows only at its end.

use core::ops::Deref;

use crate::{Budget, Result};

/// A list that grows by doubling. The budget is charged before it grows: for the new memory while both exist, then for
/// the new memory alone.
pub struct GrowingList<'a, T> {
    items: Vec<T>,
    /// The number of items for which the list has space at first.
    first_room: usize,
    /// Counts the memory of `items`.
    paid: Budget,
    budget: &'a Budget,
}

impl<'a, T> GrowingList<'a, T> {
    /// Creates an empty list, which allocates nothing yet.
    #[must_use]
    pub fn new(first_room: usize, budget: &'a Budget) -> Self {
        Self { items: Vec::new(), first_room, paid: budget.scope(), budget }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for the list.
    pub fn push(&mut self, item: T) -> Result<()> {
        if self.items.len() == self.items.capacity() {
            let paid = self.budget.scope();
            let mut grown = paid.reserved((2 * self.items.len()).max(self.first_room) as u64)?;
            grown.append(&mut self.items);
            (self.items, self.paid) = (grown, paid);
        }
        self.items.push(item);
        Ok(())
    }

    /// Returns the items, whose memory stays charged.
    ///
    /// # Errors
    /// None that can occur: the same memory was charged before.
    pub fn into_vec(self) -> Result<Vec<T>> {
        let Self { items, paid, budget, .. } = self;
        drop(paid);
        budget.charge((items.capacity() * size_of::<T>()) as u64)?;
        Ok(items)
    }
}

impl<T> Deref for GrowingList<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn old_and_new_memory_are_charged_while_the_list_grows_and_the_new_memory_afterwards() {
        let budget = Budget::new(&Limits { memory: 48 });
        let mut list = GrowingList::new(4, &budget);
        assert_eq!(budget.used(), 0);
        for item in 0..8_u32 {
            list.push(item).unwrap();
            assert_eq!(budget.used(), if item < 4 { 16 } else { 32 });
        }
        assert_eq!(budget.peak(), 48);
        assert_eq!(list.push(8).unwrap_err().code(), "memory");
        assert_eq!((list.len(), budget.used()), (8, 32));
        assert_eq!(list.into_vec().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(budget.used(), 32);
    }
}
