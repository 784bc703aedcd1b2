//! The quantised coefficients of a whole picture, for copies whose samples are not decoded.

use std::rc::Rc;

use raster::{Budget, ByteSource, Result};

use super::coefficients::{self, Coefficients};
use super::frame::{Coding, Model};
use super::head::Head;
use super::scan::Scan;
use super::scans::read_scans;
use super::sequential::Block;
use crate::error::unsupported;

/// Reads the coefficients of an undamaged picture of 8 bits, grey or YCbCr. Calls `take` with the number of a component
/// and a block, for each row of blocks in a row of MCUs, and returns the quantisation steps of each component in zigzag
/// order. Blocks outside of the picture are left out.
///
/// # Errors
/// `Unsupported` for other pictures, `Malformed`, `Limit`, `Io`.
pub(crate) fn read_coefficients(
    source: &dyn ByteSource,
    head: &Head,
    budget: &Budget,
    take: &mut dyn FnMut(usize, &Block) -> Result<()>,
) -> Result<Vec<[u16; 64]>> {
    let frame = &head.frame;
    let is_read = matches!(frame.coding, Coding::Sequential | Coding::Progressive) && frame.precision == 8;
    if !is_read || !matches!(head.model, Model::Gray | Model::YCbCr) {
        return Err(unsupported("a copy of this coding"));
    }
    let damaged = || unsupported("a copy of damaged data");
    let source: Rc<dyn ByteSource> = Rc::new(source);
    let mut found = read_scans(&source, head, budget)?;
    let steps = found.steps.iter().copied().collect::<Option<Vec<_>>>().filter(|_| !found.is_damaged);
    let steps = steps.ok_or_else(damaged)?;
    let components = frame.components.iter();
    let coefficients = components.map(|component| Coefficients::new(frame, component, 1, budget));
    let mut coefficients: Vec<_> = coefficients.collect::<Result<_>>()?;
    for mcu_row in 0..frame.mcus().height {
        coefficients.iter_mut().for_each(|coefficients| coefficients.clear(mcu_row));
        let mut has_data = false;
        for scan in &mut found.scans {
            has_data |= coefficients::read_row(scan, mcu_row, &mut coefficients)?;
        }
        if !has_data || found.scans.iter().any(Scan::is_damaged) {
            return Err(damaged());
        }
        for (component, coefficients) in coefficients.iter().enumerate() {
            coefficients.blocks(mcu_row).try_for_each(|block| take(component, block))?;
        }
    }
    if found.has_stray || found.scans.iter().any(Scan::has_stray) {
        return Err(damaged());
    }
    Ok(steps)
}
