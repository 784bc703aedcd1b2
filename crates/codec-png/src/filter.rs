//! The five filters (PNG §9), applied and undone. All arithmetic is modulo 256 on bytes; `unit` is the distance, in
//! bytes, to the byte of the same sample in the pixel to the left.
//!
//! Undoing is serial from pixel to pixel, therefore the distance is a constant there and a pixel stays in registers.
//! Applying uses only known bytes, therefore plain loops over shifted slices are vectorised.

/// A filter type (§9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Filter {
    None = 0,
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
}

impl Filter {
    pub(crate) const ALL: [Self; 5] = [Self::None, Self::Sub, Self::Up, Self::Average, Self::Paeth];

    /// Returns the filter of that number.
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// Converts a filtered line to samples, in place. `above` is the previous line as samples; zeros before the first.
    pub(crate) fn undo(self, unit: usize, above: &[u8], line: &mut [u8]) {
        match unit {
            1 => self.undo_by::<1>(above, line),
            2 => self.undo_by::<2>(above, line),
            3 => self.undo_by::<3>(above, line),
            4 => self.undo_by::<4>(above, line),
            6 => self.undo_by::<6>(above, line),
            _ => self.undo_by::<8>(above, line),
        }
    }

    fn undo_by<const N: usize>(self, above: &[u8], line: &mut [u8]) {
        let pixels = line.as_chunks_mut::<N>().0.iter_mut();
        let pixels = pixels.zip(above.as_chunks::<N>().0);
        let mut left = [0; N];
        match self {
            Self::None => {}
            Self::Up => pixels.for_each(|(pixel, up)| add(pixel, *up)),
            Self::Sub => pixels.for_each(|(pixel, _)| {
                add(pixel, left);
                left = *pixel;
            }),
            Self::Average => pixels.for_each(|(pixel, up)| {
                add(pixel, core::array::from_fn(|i| average(left[i], up[i])));
                left = *pixel;
            }),
            Self::Paeth => {
                let mut corner = [0; N];
                pixels.for_each(|(pixel, up)| {
                    add(pixel, core::array::from_fn(|i| paeth_alone(left[i], up[i], corner[i])));
                    (left, corner) = (*pixel, *up);
                });
            }
        }
    }

    /// Filters a line of samples into `out`; all three slices have the same length.
    pub(crate) fn apply(self, unit: usize, above: &[u8], line: &[u8], out: &mut [u8]) {
        // The left neighbours of the first pixel are zeros.
        let (first, rest) = out.split_at_mut(unit);
        for (i, byte) in first.iter_mut().enumerate() {
            *byte = line[i].wrapping_sub(self.predict(0, above[i], 0));
        }
        let (here, left) = (&line[unit..], &line[..line.len() - unit]);
        let (up, corner) = (&above[unit..], &above[..above.len() - unit]);
        match self {
            Self::None => rest.copy_from_slice(here),
            Self::Sub => subtract(rest, here, left.iter().copied()),
            Self::Up => subtract(rest, here, up.iter().copied()),
            Self::Average => subtract(rest, here, left.iter().zip(up).map(|(l, u)| average(*l, *u))),
            Self::Paeth => {
                subtract(rest, here, left.iter().zip(up).zip(corner).map(|((l, u), c)| paeth(*l, *u, *c)));
            }
        }
    }

    const fn predict(self, left: u8, up: u8, corner: u8) -> u8 {
        match self {
            Self::None => 0,
            Self::Sub => left,
            Self::Up => up,
            Self::Average => average(left, up),
            Self::Paeth => paeth(left, up, corner),
        }
    }
}

#[inline(always)]
fn add<const N: usize>(pixel: &mut [u8; N], prediction: [u8; N]) {
    for (byte, add) in pixel.iter_mut().zip(prediction) {
        *byte = byte.wrapping_add(add);
    }
}

#[inline(always)]
fn subtract(out: &mut [u8], line: &[u8], prediction: impl Iterator<Item = u8>) {
    for ((out, byte), guess) in out.iter_mut().zip(line).zip(prediction) {
        *out = byte.wrapping_sub(guess);
    }
}

/// Returns the mean of §9.3, rounded down, without overflow and without a ninth bit.
#[inline(always)]
pub(crate) const fn average(left: u8, up: u8) -> u8 {
    (left & up) + ((left ^ up) >> 1)
}

/// Returns the neighbour that is nearest to `left + up - corner` (§9.4); ties prefer left, then up. It works in eight
/// bits, for vectors of sixteen: when left and up lie on the same side of the corner, the corner is never the nearest.
#[inline(always)]
pub(crate) const fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let (to_left, to_up) = (up.abs_diff(corner), left.abs_diff(corner));
    let one_side = (left >= corner) == (up >= corner);
    let to_corner = if one_side { 255 } else { to_left.abs_diff(to_up) };
    let (nearer, to_nearer) = if to_left <= to_up { (left, to_left) } else { (up, to_up) };
    if to_nearer <= to_corner { nearer } else { corner }
}

/// Computes [`paeth`] for a single byte on which the next byte depends, in registers of 32 bits, because wasm widens 16
/// bits at every step. It saves 10 % of the decoding of a photograph in wasm.
#[inline(always)]
const fn paeth_alone(left: u8, up: u8, corner: u8) -> u8 {
    let (a, b, c) = (left as i32, up as i32, corner as i32);
    let (to_left, to_up) = (b - c, a - c);
    let to_corner = (to_left + to_up).abs();
    let (to_left, to_up) = (to_left.abs(), to_up.abs());
    let (nearer, to_nearer) = if to_up < to_left { (up, to_up) } else { (left, to_left) };
    if to_corner < to_nearer { corner } else { nearer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::generate::Lcg;

    /// The slow reference of §9.2's table: one byte at a time, with a lookup of neighbours.
    fn reference(filter: Filter, unit: usize, above: &[u8], line: &[u8]) -> Vec<u8> {
        (0..line.len())
            .map(|x| {
                let a = if x < unit { 0 } else { line[x - unit] };
                let b = above[x];
                let c = if x < unit { 0 } else { above[x - unit] };
                let guess = match filter {
                    Filter::None => 0,
                    Filter::Sub => i32::from(a),
                    Filter::Up => i32::from(b),
                    Filter::Average => (i32::from(a) + i32::from(b)) / 2,
                    Filter::Paeth => {
                        let p = i32::from(a) + i32::from(b) - i32::from(c);
                        let (pa, pb, pc) =
                            ((p - i32::from(a)).abs(), (p - i32::from(b)).abs(), (p - i32::from(c)).abs());
                        i32::from(if pa <= pb && pa <= pc {
                            a
                        } else if pb <= pc {
                            b
                        } else {
                            c
                        })
                    }
                };
                (i32::from(line[x]) - guess).rem_euclid(256) as u8
            })
            .collect()
    }

    #[test]
    fn applying_equals_the_standard_and_undoing_returns_the_line() {
        let mut random = Lcg::new(7);
        for filter in Filter::ALL {
            for unit in [1, 2, 3, 4, 6, 8] {
                for pixels in [1, 2, 3, 17, 100] {
                    let mut bytes = || (0..unit * pixels).map(|_| random.next_byte()).collect::<Vec<u8>>();
                    let (above, line) = (bytes(), bytes());
                    let mut filtered = vec![0; line.len()];
                    filter.apply(unit, &above, &line, &mut filtered);
                    assert_eq!(filtered, reference(filter, unit, &above, &line), "{filter:?}, unit {unit}");
                    filter.undo(unit, &above, &mut filtered);
                    assert_eq!(filtered, line, "{filter:?}, unit {unit}");
                }
            }
        }
    }

    #[test]
    fn paeth_breaks_ties_as_the_standard_requires() {
        for (a, b, c) in (0..64).flat_map(|a| (0..64).flat_map(move |b| (0..64).map(move |c| (a * 4, b * 4, c * 4)))) {
            let p = i32::from(a) + i32::from(b) - i32::from(c);
            let distance = |v: u8| (p - i32::from(v)).abs();
            let want = [a, b, c].into_iter().min_by_key(|&v| distance(v)).unwrap();
            assert_eq!((paeth(a, b, c), paeth_alone(a, b, c)), (want, want), "{a} {b} {c}");
        }
    }
}
