//! The nearest of up to 256 colours.

/// Colours that are compared at once.
const LANES: usize = 4;

/// Colours as points, sorted by their first coordinate, which is the lightness. A search begins at the wanted lightness
/// and ends where the difference in lightness alone is too large.
pub(crate) struct Search<const N: usize> {
    count: usize,
    lightness: Vec<f32>,
    blocks: Vec<Block<N>>,
}

/// Colours that follow each other. Behind the last one are infinite colours.
#[derive(Clone, Copy)]
struct Block<const N: usize> {
    axes: [[f32; LANES]; N],
    indices: [u8; LANES],
}

impl<const N: usize> Search<N> {
    pub(crate) fn new(colors: &[[f32; N]]) -> Self {
        debug_assert!((1..=256).contains(&colors.len()));
        let mut colors: Vec<([f32; N], u8)> = colors.iter().copied().zip(0..=255).collect();
        colors.sort_by(|(a, i), (b, j)| a[0].total_cmp(&b[0]).then(i.cmp(j)));
        let block = |colors: &[([f32; N], u8)]| {
            let mut block = Block { axes: [[f32::INFINITY; LANES]; N], indices: [0; LANES] };
            for (lane, (color, index)) in colors.iter().enumerate() {
                (0..N).for_each(|axis| block.axes[axis][lane] = color[axis]);
                block.indices[lane] = *index;
            }
            block
        };
        Self {
            count: colors.len(),
            lightness: colors.iter().map(|(color, _)| color[0]).collect(),
            blocks: colors.chunks(LANES).map(block).collect(),
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns the index of the nearest colour and the square of its distance. Of colours at the same distance it is a
    /// darker one, and the one whose lightness is nearest.
    pub(crate) fn nearest(&self, wanted: [f32; N]) -> (u8, f32) {
        let mut best = (0, f32::INFINITY);
        self.around(wanted, |index, apart| {
            if apart < best.1 {
                best = (index, apart);
            }
            best.1
        });
        best
    }

    /// Calls `look` with colours and the squares of their distances: with the darker ones and then with the others,
    /// whose lightness is further and further away. It returns the distance from which on it needs no other colour.
    #[inline(always)]
    pub(crate) fn around(&self, wanted: [f32; N], mut look: impl FnMut(u8, f32) -> f32) {
        let middle = self.lightness.partition_point(|&lightness| lightness < wanted[0]);
        let (first, lane) = (middle / LANES, middle % LANES);
        let mut most = f32::INFINITY;
        for (number, block) in self.blocks.iter().enumerate().take(first + 1).rev() {
            let end = if number == first { lane } else { LANES };
            if end == LANES && block.is_beyond(LANES - 1, wanted, most) {
                break;
            }
            most = block.look((0..end).rev(), wanted, most, &mut look);
        }
        for (number, block) in self.blocks.iter().enumerate().skip(first) {
            let start = if number == first { lane } else { 0 };
            if start == 0 && block.is_beyond(0, wanted, most) {
                break;
            }
            most = block.look(start..LANES, wanted, most, &mut look);
        }
    }
}

impl<const N: usize> Block<N> {
    /// Whether the lightness alone of a colour is so far away.
    #[inline(always)]
    fn is_beyond(&self, lane: usize, wanted: [f32; N], most: f32) -> bool {
        let apart = self.axes[0][lane] - wanted[0];
        apart * apart > most
    }

    /// Shows some of the colours, in that order. Returns the distance from which on no other is needed.
    #[inline(always)]
    fn look(
        &self,
        lanes: impl Iterator<Item = usize>,
        wanted: [f32; N],
        mut most: f32,
        look: &mut impl FnMut(u8, f32) -> f32,
    ) -> f32 {
        let mut apart = [0.0; LANES];
        for (axis, wanted) in self.axes.iter().zip(wanted) {
            for (apart, value) in apart.iter_mut().zip(axis) {
                *apart += (value - wanted) * (value - wanted);
            }
        }
        for lane in lanes {
            if apart[lane] <= most {
                most = look(self.indices[lane], apart[lane]);
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oklab::{Lab, distance};
    use testkit::generate::Lcg;

    #[test]
    fn no_color_is_nearer() {
        let mut random = Lcg::new(5);
        let mut color = || [0; 3].map(|_: u8| f32::from(random.next_byte()) / 255.0);
        for count in [1, 2, 17, 256] {
            let colors: Vec<Lab> = (0..count).map(|_| color()).collect();
            let search = Search::new(&colors);
            for _ in 0..500 {
                let wanted = color();
                let (index, apart) = search.nearest(wanted);
                assert_eq!(distance(colors[usize::from(index)], wanted), apart);
                assert!(colors.iter().all(|&other| distance(other, wanted) >= apart));
            }
        }
    }
}
