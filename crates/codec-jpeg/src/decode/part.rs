//! The components of a scan with their tables.

use std::rc::Rc;

use super::frame::FrameHead;
use super::huffman::Lookup;
use super::scan_head::{Pass, ScanHead};
use super::tables::{Huffman, Tables};
use crate::error::Cause;

/// A component within the MCUs of a scan.
pub(super) struct Part {
    pub(super) component: usize,
    /// The number of blocks in an MCU, across and down.
    pub(super) across: u32,
    pub(super) down: u32,
    pub(super) dc: Option<Rc<Lookup>>,
    pub(super) ac: Option<Rc<Lookup>>,
    /// The numbers of the tables.
    pub(super) dc_table: usize,
    pub(super) ac_table: usize,
    /// For arithmetic codes: the bin that the last difference of first coefficients leads to (T.81 F.1.4.4.1.2).
    /// For lossless codes: the row at which the restart interval began, plus 1; 0 before its first sample.
    pub(super) context: usize,
    /// The last DC coefficient.
    pub(super) predictor: i32,
}

/// Returns the components of the scan with their tables, as far as the pass needs them.
pub(super) fn parts(frame: &FrameHead, head: &ScanHead, tables: &Tables, pass: Pass) -> Result<Vec<Part>, Cause> {
    let is_alone = head.selectors.len() == 1;
    // Components share tables, so that fewer of them are in the processor's cache.
    let (mut dc, mut ac) = ([const { None }; 4], [const { None }; 4]);
    let mut parts = Vec::new();
    for selector in &head.selectors {
        let component = &frame.components[selector.component];
        let (across, down) = if is_alone { (1, 1) } else { (component.across, component.down) };
        let is_huffman = !frame.is_arithmetic;
        parts.push(Part {
            component: selector.component,
            across: across.into(),
            down: down.into(),
            dc_table: selector.dc_table.into(),
            ac_table: selector.ac_table.into(),
            context: 0,
            dc: if is_huffman && pass.has_dc_codes() {
                Some(shared(&mut dc, &tables.dc, selector.dc_table)?)
            } else {
                None
            },
            ac: if is_huffman && pass.has_ac_codes() {
                Some(shared(&mut ac, &tables.ac, selector.ac_table)?)
            } else {
                None
            },
            predictor: 0,
        });
    }
    Ok(parts)
}

/// Returns the table in this place.
fn shared(
    made: &mut [Option<Rc<Lookup>>; 4],
    definitions: &[Option<Huffman>; 4],
    place: u8,
) -> Result<Rc<Lookup>, Cause> {
    const MISSING: Cause = Cause::Missing("a Huffman table");
    let made = made.get_mut(usize::from(place)).ok_or(MISSING)?;
    if let Some(table) = made {
        return Ok(Rc::clone(table));
    }
    let table = Rc::new(Lookup::new(definitions[usize::from(place)].as_ref().ok_or(MISSING)?));
    *made = Some(Rc::clone(&table));
    Ok(table)
}
