//! Slots of hash tables.

/// Returns the slot of a key in a table of `slots` slots, a power of two: Fibonacci hashing (Knuth, vol. 3, §6.4), the
/// highest bits of the product of the key with 2³² over the golden ratio.
#[inline(always)]
pub const fn fibonacci_slot(key: u32, slots: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - slots.ilog2())) as usize
}
