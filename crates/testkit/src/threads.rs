//! Work of a single long test on two processors.

use std::thread;

/// Returns the results of `work` in the order of the items. One thread takes the even items, another the odd ones.
///
/// # Panics
/// When `work` does.
pub fn on_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let every_second = |first| items.iter().skip(first).step_by(2).map(&work).collect::<Vec<R>>();
    let (even, odd) = thread::scope(|scope| {
        let odd = scope.spawn(|| every_second(1));
        (every_second(0), odd.join().expect("a thread that ends"))
    });
    let mut odd = odd.into_iter();
    even.into_iter().flat_map(|result| [Some(result), odd.next()]).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        for count in 0..6 {
            let items: Vec<u32> = (0..count).collect();
            assert_eq!(on_two_threads(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }
}
