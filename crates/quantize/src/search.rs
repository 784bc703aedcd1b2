//! The nearest of up to 256 colours.

use crate::oklab::distance;

/// Colours as points, sorted by their first coordinate, which is the lightness. A search begins at the wanted lightness
/// and ends where the difference in lightness alone is too large.
pub(crate) struct Search<const N: usize> {
    colors: Vec<([f32; N], u8)>,
}

impl<const N: usize> Search<N> {
    pub(crate) fn new(colors: &[[f32; N]]) -> Self {
        debug_assert!((1..=256).contains(&colors.len()));
        let mut colors: Vec<([f32; N], u8)> = colors.iter().copied().zip(0..=255).collect();
        colors.sort_by(|(a, i), (b, j)| a[0].total_cmp(&b[0]).then(i.cmp(j)));
        Self { colors }
    }

    pub(crate) const fn len(&self) -> usize {
        self.colors.len()
    }

    /// Returns the index of the nearest colour and the square of its distance.
    pub(crate) fn nearest(&self, wanted: [f32; N]) -> (u8, f32) {
        let middle = self.colors.partition_point(|(color, _)| color[0] < wanted[0]);
        let (darker, lighter) = self.colors.split_at(middle);
        let mut best = (0, f32::INFINITY);
        look(darker.iter().rev(), wanted, &mut best);
        look(lighter.iter(), wanted, &mut best);
        best
    }
}

/// Looks for a nearer colour among colours whose lightness is further and further away.
#[inline(always)]
fn look<'a, const N: usize>(colors: impl Iterator<Item = &'a ([f32; N], u8)>, wanted: [f32; N], best: &mut (u8, f32)) {
    for (color, index) in colors {
        let apart = color[0] - wanted[0];
        if apart * apart >= best.1 {
            return;
        }
        let distance = distance(*color, wanted);
        if distance < best.1 {
            *best = (*index, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oklab::Lab;
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
