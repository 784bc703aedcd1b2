//! One sort for all lists that are sorted once per file.

/// Sorts items by a key. Items with equal keys keep their order.
///
/// This is `sort_by_cached_key` for one type of key: the standard library's sorts are compiled again for each type of
/// item, 5 to 6 kB each.
pub fn sort_by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    let mut order: Vec<(u64, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    for place in 0..items.len() {
        // The item that belongs here was swapped away, perhaps several times, if its place has been filled.
        let mut from = order[place].1;
        while from < place {
            from = order[from].1;
        }
        order[place].1 = from;
        items.swap(place, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_and_equal_keys_keep_their_order() {
        for len in 0..40_u64 {
            for keys in 1..9 {
                let mut items: Vec<(u64, u64)> = (0..len).map(|i| (i * 29 % 31 % keys, i)).collect();
                let mut want = items.clone();
                want.sort();
                sort_by_key(&mut items, |item| item.0);
                assert_eq!(items, want);
            }
        }
    }
}
