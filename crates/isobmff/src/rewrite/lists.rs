//! The lists of items without those that are left out.

use super::{Boxed, Changes, Fault, Piece};
use crate::Cause;
use crate::fields::Fields;

/// Returns box `iinf` without the items that are left out.
pub(super) fn items(mut contents: Piece<'_>, changes: &Changes<'_>) -> Result<Vec<u8>, Fault> {
    let mut fields = Fields::new(contents.bytes);
    let (version, _) = fields.version()?;
    let count = fields.id(version > 0)?;
    let head = if version > 0 { 8 } else { 6 };
    let mut bytes = contents.next(head)?.bytes.to_vec();
    let mut removed = 0;
    while let Some(entry) = contents.next_box()? {
        let mut fields = Fields::new(entry.contents.bytes);
        let (version, _) = fields.version()?;
        if changes.of(fields.id(version > 2)?) == Some(0) {
            removed += 1;
        } else {
            bytes.extend(entry.all.bytes);
        }
    }
    set_count(&mut bytes[4..head], count.saturating_sub(removed));
    Ok(bytes)
}

/// Writes a number into all of `field`.
fn set_count(field: &mut [u8], count: u32) {
    let bytes = count.to_be_bytes();
    field.copy_from_slice(&bytes[bytes.len() - field.len()..]);
}

/// Returns box `iloc` without the items that are left out, and with the lengths of new data.
pub(super) fn places(contents: Piece<'_>, changes: &Changes<'_>) -> Result<Vec<u8>, Fault> {
    let mut fields = Fields::new(contents.bytes);
    let (version, _) = fields.version()?;
    let sizes = fields.u16()?;
    let [offset, length, base, index] = [12, 8, 4, 0].map(|shift| usize::from(sizes >> shift & 15));
    let index = if version == 0 { 0 } else { index };
    let is_long = version == 2;
    let count_at = contents.bytes.len() - fields.rest.len();
    let count = fields.id(is_long)?;
    let mut bytes = contents.bytes[..contents.bytes.len() - fields.rest.len()].to_vec();
    let (counted, mut kept) = (count_at..bytes.len(), 0);
    for _ in 0..count {
        let entry = fields.rest;
        let id = fields.id(is_long)?;
        let method = if version == 0 { 0 } else { fields.u16()? & 15 };
        let is_elsewhere = fields.u16()? != 0;
        fields.bytes(base)?;
        let extents = fields.u16()?;
        let first = entry.len() - fields.rest.len() + index + offset;
        fields.bytes(usize::from(extents) * (index + offset + length))?;
        let change = changes.of(id);
        if change == Some(0) {
            continue;
        }
        if method > 1 || is_elsewhere {
            return Err(Fault::Refused("data in another item or in another file"));
        }
        kept += 1;
        let start = bytes.len();
        bytes.extend(&entry[..entry.len() - fields.rest.len()]);
        if let Some(len) = change {
            let field = bytes.get_mut(start + first..start + first + length).ok_or(Cause::Place)?;
            let len = len.to_be_bytes();
            field.copy_from_slice(len.get(len.len() - length..).ok_or(Cause::Place)?);
        }
    }
    set_count(&mut bytes[counted], kept);
    Ok(bytes)
}

/// Returns box `iref` without the references of items that are left out.
pub(super) fn references(mut contents: Piece<'_>, changes: &Changes<'_>) -> Result<Vec<u8>, Fault> {
    let (version, _) = Fields::new(contents.bytes).version()?;
    let mut bytes = contents.next(4)?.bytes.to_vec();
    while let Some(entry) = contents.next_box()? {
        let mut fields = Fields::new(entry.contents.bytes);
        if changes.of(fields.id(version > 0)?) == Some(0) {
            continue;
        }
        for _ in 0..fields.u16()? {
            if changes.of(fields.id(version > 0)?) == Some(0) {
                return Err(Fault::Refused("references to metadata that are left out"));
            }
        }
        bytes.extend(entry.all.bytes);
    }
    Ok(bytes)
}

/// Refuses a box `ipma` in which an item that is left out has properties.
pub(super) fn has_no_properties(list: &Boxed<'_>, changes: &Changes<'_>) -> Result<(), Fault> {
    let mut fields = Fields::new(list.contents.bytes);
    if list.kind != *b"ipma" {
        return Ok(());
    }
    let (version, flags) = fields.version()?;
    for _ in 0..fields.u32()? {
        if changes.of(fields.id(version > 0)?) == Some(0) {
            return Err(Fault::Refused("properties of metadata that are left out"));
        }
        let count = usize::from(fields.u8()?);
        fields.bytes(count * if flags & 1 == 1 { 2 } else { 1 })?;
    }
    Ok(())
}
