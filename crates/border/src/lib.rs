//! What the wasm modules exchange with JavaScript: values with generated TypeScript types, and the two imported objects
//! [`Source`] and [`Sink`]. Each module exports functions of its own.

#![allow(missing_docs, reason = "the fields of the values are those of the types in `raster` and `pipeline`")]

mod copy;
pub mod decoder;
mod device;
mod encoding;
mod failure;
mod names;
mod sink;
mod source;
#[cfg(target_arch = "wasm32")] // elsewhere nobody reads the declarations
mod types;
mod values;

use core::pin::Pin;
use core::task::{Context, Poll, Waker};

pub use copy::CopyChanges;
pub use decoder::DecoderOptions;
pub use device::DeviceDecoder;
pub use encoding::EncodingValue;
pub use failure::{Failure, FailureReason};
pub use sink::{JsSink, Sink};
pub use source::{JsSource, Source};
pub use values::*;

/// Work that is done step by step.
pub type Steps<T> = Pin<Box<dyn Future<Output = raster::Result<T>>>>;

/// Polls once; returns the result if that step was the last.
pub fn poll<T>(steps: &mut Steps<T>) -> Option<raster::Result<T>> {
    match steps.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Pending => None,
        Poll::Ready(result) => Some(result),
    }
}

/// Returns the current bytes of the module's linear memory, which never shrinks.
#[must_use]
pub fn memory_bytes() -> f64 {
    const PAGE: f64 = 65_536.0;
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages as f64 * PAGE
}
