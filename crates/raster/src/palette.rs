//! Palettes: up to 256 colours in a table, and rows of indices with 1, 2, 4 or 8 bits a pixel.

use crate::fibonacci_slot;

/// The number of colours of the largest palette.
pub const MAX_COLORS: usize = 256;

/// The number of slots of the hash table: four for each colour. Searches are therefore short, and a slot is always
/// free.
const SLOTS: usize = 4 * MAX_COLORS;

/// The colours of a picture in the order of their first appearance, as long as they are few enough for a palette.
#[derive(Clone, Debug)]
pub struct ColorTable {
    colors: Vec<[u8; 4]>,
    /// The index of a colour plus one, in the slot of its hash or in a later one; 0 for a free slot.
    slots: Box<[u16; SLOTS]>,
}

impl Default for ColorTable {
    fn default() -> Self {
        Self { colors: Vec::with_capacity(MAX_COLORS), slots: Box::new([0; SLOTS]) }
    }
}

impl ColorTable {
    /// Returns the colours so far.
    #[must_use]
    pub fn colors(&self) -> &[[u8; 4]] {
        &self.colors
    }

    /// Returns the index of a colour, if the table contains it.
    #[must_use]
    pub fn find(&self, color: [u8; 4]) -> Option<u8> {
        Some(self.slots[self.slot(color)].checked_sub(1)? as u8)
    }

    /// Returns the index of a colour, which is added if it is new, or `None` when the table is full.
    pub fn insert(&mut self, color: [u8; 4]) -> Option<u8> {
        let slot = self.slot(color);
        if self.slots[slot] == 0 {
            if self.colors.len() == MAX_COLORS {
                return None;
            }
            self.colors.push(color);
            self.slots[slot] = self.colors.len() as u16;
        }
        Some((self.slots[slot] - 1) as u8)
    }

    /// Returns the slot of a colour, or the free slot for it.
    fn slot(&self, color: [u8; 4]) -> usize {
        let mut slot = fibonacci_slot(u32::from_le_bytes(color), SLOTS);
        while let Some(index) = self.slots[slot].checked_sub(1)
            && self.colors[usize::from(index)] != color
        {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

/// Converts a row of packed indices of `bits` bits to colours; the leftmost pixel is in the highest bits of a byte.
/// Each pixel of `row` becomes the first `pixel_bytes` bytes of its colour, 1 to 4. The last byte may be used in part.
pub fn look_up(colors: &[[u8; 4]; MAX_COLORS], packed: &[u8], bits: u8, row: &mut [u8], pixel_bytes: usize) {
    match pixel_bytes {
        1 => look_up_pixels::<1>(colors, packed, bits, row),
        2 => look_up_pixels::<2>(colors, packed, bits, row),
        3 => look_up_pixels::<3>(colors, packed, bits, row),
        _ => look_up_pixels::<4>(colors, packed, bits, row),
    }
}

fn look_up_pixels<const N: usize>(colors: &[[u8; 4]; MAX_COLORS], packed: &[u8], bits: u8, row: &mut [u8]) {
    let pixels = row.as_chunks_mut::<N>().0;
    match bits {
        1 => look_up_bits::<1, N>(colors, packed, pixels),
        2 => look_up_bits::<2, N>(colors, packed, pixels),
        4 => look_up_bits::<4, N>(colors, packed, pixels),
        _ => look_up_bits::<8, N>(colors, packed, pixels),
    }
}

/// Runs the loop for one depth and pixel size. Both are constants, so that shifts and copies are single instructions.
#[inline(always)]
fn look_up_bits<const BITS: usize, const N: usize>(
    colors: &[[u8; 4]; MAX_COLORS],
    packed: &[u8],
    pixels: &mut [[u8; N]],
) {
    for (byte, group) in packed.iter().zip(pixels.chunks_mut(8 / BITS)) {
        for (i, pixel) in group.iter_mut().enumerate() {
            let index = (byte >> (8 - BITS * (i + 1))) & (0xFF >> (8 - BITS));
            pixel.copy_from_slice(&colors[usize::from(index)][..N]);
        }
    }
}

/// Appends indices to `packed`, `bits` bits each, the first in the highest bits of a byte; the rest of the last byte
/// is 0. The inverse of [`look_up`].
pub fn pack(indices: impl IntoIterator<Item = u8>, bits: u8, packed: &mut Vec<u8>) {
    let (mut byte, mut free) = (0, 8);
    for index in indices {
        free -= bits;
        byte |= index << free;
        if free == 0 {
            packed.push(byte);
            (byte, free) = (0, 8);
        }
    }
    if free < 8 {
        packed.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_found_again_up_to_256_and_not_beyond() {
        // Multiples of 64 collide in few slots.
        let colors: Vec<[u8; 4]> = (0..=255_u8).map(|i| [i, i.wrapping_mul(64), 7, 255]).collect();
        let mut table = ColorTable::default();
        for round in 0..2 {
            for (index, &color) in (0..=255).zip(&colors) {
                assert_eq!(table.find(color).is_some(), round > 0);
                assert_eq!(table.insert(color), Some(index));
            }
        }
        assert_eq!(table.colors(), colors);
        assert_eq!((table.insert([1, 1, 1, 1]), table.find([1, 1, 1, 1])), (None, None));
        assert_eq!(table.find(colors[200]), Some(200));
    }

    #[test]
    fn packed_indices_are_read_from_the_high_bits_down_to_the_width() {
        let mut colors = [[0; 4]; MAX_COLORS];
        (0..=255_u8).for_each(|i| colors[usize::from(i)] = [i, 255 - i, i / 2, 9]);
        for bits in [1, 2, 4, 8] {
            for width in 1..20_u8 {
                let indices: Vec<u8> = (0..width).map(|x| x.wrapping_mul(91) >> (8 - bits)).collect();
                let mut packed = Vec::new();
                pack(indices.iter().copied(), bits, &mut packed);
                assert_eq!(packed.len(), (usize::from(width) * usize::from(bits)).div_ceil(8));
                for pixel_bytes in 1..=4 {
                    let mut row = vec![0; indices.len() * pixel_bytes];
                    look_up(&colors, &packed, bits, &mut row, pixel_bytes);
                    let want: Vec<u8> =
                        indices.iter().flat_map(|&i| colors[usize::from(i)][..pixel_bytes].to_vec()).collect();
                    assert_eq!(row, want, "{bits} bits, {pixel_bytes} bytes, width {width}");
                }
            }
        }
        let mut packed = Vec::new();
        pack([1, 0, 1, 0, 0, 0, 0, 0, 1], 1, &mut packed);
        assert_eq!(packed, [0b1010_0000, 0b1000_0000]);
    }
}
