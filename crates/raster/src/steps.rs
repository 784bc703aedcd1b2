//! Jobs in steps: synchronous work that pauses between two rows, and when the bytes that it needs have not arrived.
//!
//! A step is the work between two polls of a future. Such futures do not use wakers: their caller polls again at any
//! time, or when more bytes have arrived.

use core::future::{Future, poll_fn};
use core::mem;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use crate::{Error, IoError, Result};

/// Ends a step.
pub async fn pause() {
    let mut next = Poll::Pending;
    poll_fn(|_| mem::replace(&mut next, Poll::Ready(()))).await;
}

/// Returns the result of `attempt`, which is repeated in one step each while it returns [`IoError::NotYet`].
///
/// # Errors
/// Every other error of `attempt`.
pub async fn retried<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match attempt() {
            Err(error) if error.is_not_yet() => pause().await,
            result => return result,
        }
    }
}

/// Returns the result of a job, whose steps are run directly one after another.
pub fn finished<T>(job: impl Future<Output = T>) -> T {
    let mut job = pin!(job);
    loop {
        if let Poll::Ready(result) = job.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

impl Error {
    /// Whether the same call may succeed after more bytes have arrived.
    #[must_use]
    pub const fn is_not_yet(&self) -> bool {
        matches!(self, Self::Io(IoError::NotYet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_repeated_until_its_bytes_have_arrived() {
        let mut attempts = 0;
        let result = finished(retried(|| {
            attempts += 1;
            if attempts < 4 { Err(IoError::NotYet.into()) } else { Ok("bytes") }
        }));
        assert_eq!((result.unwrap(), attempts), ("bytes", 4));
    }

    #[test]
    fn every_other_error_ends_the_attempts() {
        let mut attempts = 0;
        let result: Result<()> = finished(retried(|| {
            attempts += 1;
            Err(IoError::Read("gone".into()).into())
        }));
        assert_eq!((result.unwrap_err().code(), attempts), ("read", 1));
    }
}
