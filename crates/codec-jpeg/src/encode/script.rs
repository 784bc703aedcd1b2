//! The scans of progressive files.

use raster::Result;

/// One scan: some coefficients of one component, or the first coefficients of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The component; `None` for the first coefficients of all components.
    pub(super) component: Option<usize>,
    /// The first and the last coefficient, in zigzag order.
    pub(super) first: u8,
    pub(super) last: u8,
    /// The bit to which earlier scans have coded the coefficients; 0 for none.
    pub(super) high: u8,
    /// The lowest bit that this scan codes.
    pub(super) low: u8,
}

const fn dc(high: u8, low: u8) -> Step {
    Step { component: None, first: 0, last: 0, high, low }
}

const fn ac(component: usize, first: u8, last: u8, (high, low): (u8, u8)) -> Step {
    Step { component: Some(component), first, last, high, low }
}

/// The scans of cjpeg `-progressive` for grey pictures.
const GRAY: [Step; 6] =
    [dc(0, 1), ac(0, 1, 5, (0, 2)), ac(0, 6, 63, (0, 2)), ac(0, 1, 63, (2, 1)), dc(1, 0), ac(0, 1, 63, (1, 0))];

/// The scans of cjpeg `-progressive` for colour.
const COLOR: [Step; 10] = [
    dc(0, 1),
    ac(0, 1, 5, (0, 2)),
    ac(2, 1, 63, (0, 1)),
    ac(1, 1, 63, (0, 1)),
    ac(0, 6, 63, (0, 2)),
    ac(0, 1, 63, (2, 1)),
    dc(1, 0),
    ac(2, 1, 63, (1, 0)),
    ac(1, 1, 63, (1, 0)),
    ac(0, 1, 63, (1, 0)),
];

/// Returns the scans of a picture with so many components.
pub(super) const fn usual(components: usize) -> &'static [Step] {
    if components == 1 { &GRAY } else { &COLOR }
}

/// Returns the scans that take the fewest bits by `cost`.
///
/// # Errors
/// Errors of `cost`.
pub(super) fn smallest(components: usize, mut cost: impl FnMut(&Step) -> Result<u64>) -> Result<Vec<Step>> {
    let mut script = vec![dc(0, 0)];
    for component in 0..components {
        script.extend(smallest_of(component, &mut cost)?);
    }
    Ok(script)
}

/// Returns the scans of a component: how many of the lowest bits have scans of their own, and whether the
/// coefficients of the first scans are split.
fn smallest_of(component: usize, cost: &mut impl FnMut(&Step) -> Result<u64>) -> Result<Vec<Step>> {
    let mut best = (u64::MAX, Vec::new());
    let mut refined = 0;
    for low in 0..=2 {
        if low > 0 {
            refined += cost(&ac(component, 1, 63, (low, low - 1)))?;
        }
        for split in [63, 2, 5, 8, 12, 18] {
            let mut steps = vec![ac(component, 1, split, (0, low))];
            if split < 63 {
                steps.push(ac(component, split + 1, 63, (0, low)));
            }
            let mut total = refined;
            for step in &steps {
                total += cost(step)?;
            }
            if total < best.0 {
                steps.extend((0..low).rev().map(|bit| ac(component, 1, 63, (bit + 1, bit))));
                best = (total, steps);
            }
        }
    }
    Ok(best.1)
}
