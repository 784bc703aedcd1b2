//! The colours of a picture while they are few enough for a palette.

/// Four times the colours that fit, so that a search is short.
const SLOTS: usize = 1024;
const MOST: usize = 256;

/// Up to 256 colours in the order of their first appearance.
pub(super) struct Colors {
    list: Vec<[u8; 3]>,
    /// Where in `list` a colour stands, one more than that; 0 for nothing. Found by its hash, or in the next free slot.
    slots: Box<[u16; SLOTS]>,
}

impl Colors {
    pub(super) fn new() -> Self {
        Self { list: Vec::with_capacity(MOST), slots: Box::new([0; SLOTS]) }
    }

    /// Takes in a row of three-byte pixels. False once the colours are too many.
    pub(super) fn take(&mut self, row: &[u8]) -> bool {
        let mut last = None;
        for color in row.as_chunks::<3>().0 {
            // Pictures with few colours have long runs of one.
            if last == Some(color) {
                continue;
            }
            last = Some(color);
            let slot = self.slot(*color);
            if self.slots[slot] != 0 {
                continue;
            }
            if self.list.len() == MOST {
                return false;
            }
            self.list.push(*color);
            self.slots[slot] = self.list.len() as u16;
        }
        true
    }

    /// The palette. One of greys only gets a colour more that no pixel has, so that a picture stored as colour is
    /// found to be one; nothing where there is no room for it.
    pub(super) fn palette(&self) -> Option<Vec<[u8; 3]>> {
        let mut palette = self.list.clone();
        if palette.iter().all(|&[first, second, third]| first == second && second == third) {
            palette.push([255, 0, 0]);
        }
        (palette.len() <= MOST).then_some(palette)
    }

    /// Turns rows of `from` bytes of three-byte pixels, all taken in before, into rows of `into` bytes of places in the
    /// palette, within the same bytes: what is read is never behind what is written.
    pub(super) fn index(&self, rows: &mut Vec<u8>, width: usize, from: usize, into: usize) {
        let height = rows.len() / from;
        for y in 0..height {
            for x in 0..into {
                let at = y * from + 3 * x;
                let index = if x < width {
                    self.slots[self.slot([rows[at], rows[at + 1], rows[at + 2]])].saturating_sub(1)
                } else {
                    0
                };
                rows[y * into + x] = index as u8;
            }
        }
        rows.truncate(height * into);
    }

    /// The slot of a colour, or the free one where it belongs. There is always a free one.
    fn slot(&self, color: [u8; 3]) -> usize {
        // Fibonacci hashing (Knuth, vol. 3, §6.4): the golden ratio's 32 bits, of the product the highest ten.
        let hash = u32::from_le_bytes([color[0], color[1], color[2], 0]).wrapping_mul(0x9E37_79B9) >> 22;
        let mut slot = hash as usize;
        while let Some(place) = usize::from(self.slots[slot]).checked_sub(1)
            && self.list[place] != color
        {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::generate::Lcg;

    #[test]
    fn colors_are_found_again_up_to_256_and_not_beyond() {
        let mut random = Lcg::new(1);
        let colors: Vec<[u8; 3]> = (0..=255).map(|i| [i, random.next_byte(), random.next_byte()]).collect();
        let mut taken = Colors::new();
        assert!(taken.take(colors.as_flattened()) && taken.take(colors.as_flattened()));
        assert_eq!(taken.palette().unwrap(), colors);
        assert!(!taken.take(&[0, colors[0][1] ^ 1, 0]));
        let mut rows: Vec<u8> = colors.iter().rev().copied().collect::<Vec<_>>().concat();
        taken.index(&mut rows, 256, 768, 256);
        assert!(rows.into_iter().eq((0..=255).rev()));
    }

    #[test]
    fn rows_shrink_in_place_with_their_padding() {
        let mut taken = Colors::new();
        let mut rows = [[1, 1, 1, 2, 2, 2, 0, 0], [2, 2, 2, 3, 3, 3, 0, 0]].concat();
        assert!(taken.take(&rows[..6]) && taken.take(&rows[8..14]));
        taken.index(&mut rows, 2, 8, 4);
        assert_eq!(rows, [0, 1, 0, 0, 1, 2, 0, 0]);
    }

    #[test]
    fn greys_alone_get_a_color_that_no_pixel_has() {
        let mut taken = Colors::new();
        let grays: Vec<u8> = (0..255).flat_map(|v| [v; 3]).collect();
        assert!(taken.take(&grays));
        assert_eq!(taken.palette().unwrap()[255], [255, 0, 0]);
        assert!(taken.take(&[255; 3]));
        assert_eq!(taken.palette(), None, "256 greys leave no room");
    }
}
