//! Limits in processor time. A test runs beside compilers and browsers, so wall-clock time depends on the load of the
//! machine; the processor time of the thread measures the code.

use std::time::Duration;

use cpu_time::ThreadTime;

/// Runs `work` and returns its result with the processor time that this thread spent in it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed())
}

/// Runs `work` and returns its result.
///
/// # Panics
/// When this thread spends more than `limit` of processor time in it. The message names `what`.
pub fn within<T>(limit: Duration, what: &str, work: impl FnOnce() -> T) -> T {
    let (result, spent) = timed(work);
    assert!(spent <= limit, "{what} took {spent:?} of processor time, more than {limit:?}");
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_free_and_work_is_not() {
        let ((), waited) = timed(|| std::thread::sleep(Duration::from_millis(200)));
        assert!(waited < Duration::from_millis(100), "{waited:?}");
        let (_, worked) = timed(|| (0..20_000_000_u64).fold(0, |sum, i| std::hint::black_box(sum ^ i)));
        assert!(worked > Duration::from_millis(1), "{worked:?}");
    }

    #[test]
    #[should_panic(expected = "a loop took")]
    fn a_limit_is_a_limit() {
        within(Duration::ZERO, "a loop", || (0..1_000_000_u64).fold(0, |sum, i| std::hint::black_box(sum ^ i)));
    }
}
