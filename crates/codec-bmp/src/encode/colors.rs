//! The colours of a picture, collected as long as they fit into a palette.

use raster::palette::ColorTable;

/// Up to 256 colours in the order of their first appearance.
#[derive(Default)]
pub(super) struct Colors(ColorTable);

impl Colors {
    /// Adds a row of three-byte pixels. Returns false when the colours are too many.
    pub(super) fn take(&mut self, row: &[u8]) -> bool {
        let mut last = None;
        row.as_chunks::<3>().0.iter().all(|color| {
            // Pictures with few colours have long runs of one colour.
            let is_known = last == Some(color) || self.0.insert(entry(*color)).is_some();
            last = Some(color);
            is_known
        })
    }

    /// Returns the palette: the colours in the order of their first appearance.
    pub(super) fn palette(&self) -> Vec<[u8; 3]> {
        self.0.colors().iter().map(|&[first, second, third, _]| [first, second, third]).collect()
    }

    /// Converts rows of three-byte pixels, `from` bytes each, to rows of indices, `into` bytes each. All rows were
    /// added before. The conversion is in place: no byte is written before it has been read. Padding becomes 0.
    pub(super) fn index(&self, rows: &mut Vec<u8>, width: usize, from: usize, into: usize) {
        let height = rows.len() / from;
        for y in 0..height {
            for x in 0..into {
                let at = y * from + 3 * x;
                let color = if x < width { self.0.find(entry([rows[at], rows[at + 1], rows[at + 2]])) } else { None };
                rows[y * into + x] = color.unwrap_or(0);
            }
        }
        rows.truncate(height * into);
    }
}

const fn entry([first, second, third]: [u8; 3]) -> [u8; 4] {
    [first, second, third, 255]
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::generate::Lcg;

    #[test]
    fn colors_are_found_again_up_to_256_and_not_beyond() {
        let mut random = Lcg::new(1);
        let colors: Vec<[u8; 3]> = (0..=255).map(|i| [i, random.next_byte(), random.next_byte()]).collect();
        let mut taken = Colors::default();
        assert!(taken.take(colors.as_flattened()) && taken.take(colors.as_flattened()));
        assert_eq!(taken.palette(), colors);
        assert!(!taken.take(&[0, colors[0][1] ^ 1, 0]));
        let mut rows: Vec<u8> = colors.iter().rev().copied().collect::<Vec<_>>().concat();
        taken.index(&mut rows, 256, 768, 256);
        assert!(rows.into_iter().eq((0..=255).rev()));
    }

    #[test]
    fn rows_shrink_in_place_with_their_padding() {
        let mut taken = Colors::default();
        let mut rows = [[1, 1, 1, 2, 2, 2, 0, 0], [2, 2, 2, 3, 3, 3, 0, 0]].concat();
        assert!(taken.take(&rows[..6]) && taken.take(&rows[8..14]));
        taken.index(&mut rows, 2, 8, 4);
        assert_eq!(rows, [0, 1, 0, 0, 1, 2, 0, 0]);
    }
}
