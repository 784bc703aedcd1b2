//! The loop filter (RFC 6386 §15), which smooths the edges of macroblocks and blocks.

/// The filter of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterKind {
    None,
    /// Two pixels of luma at each edge.
    Simple,
    /// Up to six pixels of all planes.
    Normal,
}

/// The strength of the filter in a macroblock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strength {
    /// 0 to 63; 0 is no filter.
    pub(super) level: i32,
    /// The largest difference of neighbours on one side of an edge that is filtered.
    pub(super) interior: i32,
    /// The difference of neighbours above which there is high variance.
    pub(super) variance: i32,
}

/// The filter of one macroblock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filtered {
    pub(super) strength: Strength,
    /// Whether the edges of blocks inside the macroblock are filtered.
    pub(super) inside: bool,
}

/// A plane in rows.
pub(super) struct Plane<'a> {
    pub(super) pixels: &'a mut [u8],
    pub(super) stride: usize,
}

/// Edges of a macroblock's plane.
#[derive(Clone, Copy)]
struct Edges {
    /// The first pixel of the macroblock.
    start: usize,
    /// The distance of pixels across the edge.
    across: usize,
    /// The distance of pixels along the edge.
    along: usize,
    /// The side of the macroblock.
    side: usize,
}

/// Applies the normal filter to the macroblock of `SIDE` × `SIDE` pixels at `start`. `has` tells whether there are
/// macroblocks to the left and above.
pub(super) fn filter_normal<const SIDE: usize>(
    plane: &mut Plane<'_>,
    start: usize,
    has: [bool; 2],
    filtered: Filtered,
) {
    let Filtered { strength, inside } = filtered;
    let limit = 2 * strength.level + strength.interior;
    for (has_neighbour, edges) in has.into_iter().zip(Edges::of(start, plane.stride, SIDE)) {
        if has_neighbour {
            let limits = Limits { edge: 2 * (limit + 4) + 1, ..Limits::new(strength, limit) };
            edges.each(0, |at| outer(plane.pixels, at, edges.across, limits));
        }
        if inside {
            for offset in (4..SIDE).step_by(4) {
                edges.each(offset, |at| inner(plane.pixels, at, edges.across, Limits::new(strength, limit)));
            }
        }
    }
}

/// Applies the simple filter to the luma of the macroblock at `start`.
pub(super) fn filter_simple(plane: &mut Plane<'_>, start: usize, has: [bool; 2], filtered: Filtered) {
    let Filtered { strength, inside } = filtered;
    let limit = 2 * strength.level + strength.interior;
    for (has_neighbour, edges) in has.into_iter().zip(Edges::of(start, plane.stride, 16)) {
        if has_neighbour {
            edges.each(0, |at| simple(plane.pixels, at, edges.across, 2 * (limit + 4) + 1));
        }
        if inside {
            for offset in [4, 8, 12] {
                edges.each(offset, |at| simple(plane.pixels, at, edges.across, 2 * limit + 1));
            }
        }
    }
}

impl Edges {
    /// Returns the vertical and the horizontal edges.
    const fn of(start: usize, stride: usize, side: usize) -> [Self; 2] {
        [Self { start, across: 1, along: stride, side }, Self { start, across: stride, along: 1, side }]
    }

    /// Calls `filter` with the first pixel behind the edge, for all places of the edge `offset` pixels from the first.
    #[inline(always)]
    fn each(self, offset: usize, mut filter: impl FnMut(usize)) {
        let first = self.start + offset * self.across;
        (0..self.side).for_each(|n| filter(first + n * self.along));
    }
}

/// The largest differences that are filtered.
#[derive(Clone, Copy)]
struct Limits {
    edge: i32,
    interior: i32,
    variance: i32,
}

impl Limits {
    const fn new(strength: Strength, limit: i32) -> Self {
        Self { edge: 2 * limit + 1, interior: strength.interior, variance: strength.variance }
    }
}

/// The pixels across an edge: four before it and four behind it.
type Across = [i32; 8];

#[inline(always)]
fn load(pixels: &[u8], at: usize, across: usize) -> Across {
    let pixels = &pixels[at - 4 * across..][..7 * across + 1];
    core::array::from_fn(|n| pixels[n * across].into())
}

/// Whether the step at the edge is small enough to be filtered.
#[inline(always)]
const fn is_flat([_, _, p1, p0, q0, q1, _, _]: Across, limit: i32) -> bool {
    4 * (p0 - q0).abs() + (p1 - q1).abs() <= limit
}

/// Whether also the pixels on both sides are similar.
#[inline(always)]
fn is_smooth(pixels: Across, limits: Limits) -> bool {
    let [p3, p2, p1, p0, q0, q1, q2, q3] = pixels;
    let steps = [p3 - p2, p2 - p1, p1 - p0, q3 - q2, q2 - q1, q1 - q0];
    is_flat(pixels, limits.edge) && steps.iter().all(|step| step.abs() <= limits.interior)
}

#[inline(always)]
const fn has_variance([_, _, p1, p0, q0, q1, _, _]: Across, limits: Limits) -> bool {
    (p1 - p0).abs() > limits.variance || (q1 - q0).abs() > limits.variance
}

/// Limits a value to those of 8 bits with sign.
#[inline(always)]
fn signed(value: i32) -> i32 {
    value.clamp(-128, 127)
}

/// Stores changed pixels around an edge; the first is at `at` − `changes.len()` / 2 steps.
#[inline(always)]
fn store<const N: usize>(pixels: &mut [u8], at: usize, across: usize, values: [i32; N]) {
    let start = at - N / 2 * across;
    for (n, value) in values.into_iter().enumerate() {
        pixels[start + n * across] = value.clamp(0, 255) as u8;
    }
}

/// Returns the changes of the pixels behind and before the edge for a filter value.
#[inline(always)]
fn halves(value: i32) -> [i32; 2] {
    [signed(value + 4) >> 3, signed(value + 3) >> 3]
}

/// Filters one place of an edge with the simple filter (§15.2).
#[inline(always)]
fn simple(pixels: &mut [u8], at: usize, across: usize, limit: i32) {
    let [p1, p0, q0, q1] = core::array::from_fn(|n| i32::from(pixels[at + n * across - 2 * across]));
    if is_flat([0, 0, p1, p0, q0, q1, 0, 0], limit) {
        change_two(pixels, at, across, [p1, p0, q0, q1]);
    }
}

#[inline(always)]
fn change_two(pixels: &mut [u8], at: usize, across: usize, [p1, p0, q0, q1]: [i32; 4]) {
    let [behind, before] = halves(3 * (q0 - p0) + signed(p1 - q1));
    store(pixels, at, across, [p0 + before, q0 - behind]);
}

/// Filters one place of an edge between macroblocks (§15.3).
#[inline(always)]
fn outer(pixels: &mut [u8], at: usize, across: usize, limits: Limits) {
    let loaded = load(pixels, at, across);
    if !is_smooth(loaded, limits) {
        return;
    }
    let [_, p2, p1, p0, q0, q1, q2, _] = loaded;
    if has_variance(loaded, limits) {
        change_two(pixels, at, across, [p1, p0, q0, q1]);
    } else {
        let value = signed(3 * (q0 - p0) + signed(p1 - q1));
        let [most, more, less] = [27, 18, 9].map(|factor| (factor * value + 63) >> 7);
        store(pixels, at, across, [p2 + less, p1 + more, p0 + most, q0 - most, q1 - more, q2 - less]);
    }
}

/// Filters one place of an edge between blocks (§15.3).
#[inline(always)]
fn inner(pixels: &mut [u8], at: usize, across: usize, limits: Limits) {
    let loaded = load(pixels, at, across);
    if !is_smooth(loaded, limits) {
        return;
    }
    let [_, _, p1, p0, q0, q1, _, _] = loaded;
    if has_variance(loaded, limits) {
        change_two(pixels, at, across, [p1, p0, q0, q1]);
    } else {
        let [behind, before] = halves(3 * (q0 - p0));
        let further = (behind + 1) >> 1;
        store(pixels, at, across, [p1 + further, p0 + before, q0 - behind, q1 - further]);
    }
}
