//! The length of the history, which reading and writing share.

/// The largest distance of a match (RFC 1951 §2), in bytes.
pub(crate) const HISTORY: usize = 32 * 1024;
