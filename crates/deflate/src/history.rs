//! The one number that reading and writing share.

/// How far back a match may refer (RFC 1951 §2), in bytes.
pub(crate) const HISTORY: usize = 32 * 1024;
