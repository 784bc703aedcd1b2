//! The EXIF block of a page, rebuilt: in a TIFF the tags of EXIF lie scattered over the file, elsewhere they are a small
//! TIFF of their own (EXIF 2.32 §4.5). The file's byte order is kept, so that values are copied as they stand; only
//! offsets change.

use raster::{Budget, Result};

use super::ifd::{Directory, Ifds, Order};
use crate::tag::{self, Type};

/// Tags of the page's own directory that describe the picture, but for those of its data.
const DESCRIPTIONS: [u16; 14] = [
    tag::IMAGE_DESCRIPTION,
    tag::MAKE,
    tag::MODEL,
    tag::SOFTWARE,
    tag::DATE_TIME,
    tag::ARTIST,
    tag::HOST_COMPUTER,
    tag::RATING,
    tag::COPYRIGHT,
    // Windows' title, comment, author, keywords, subject.
    0x9C9B,
    0x9C9C,
    0x9C9D,
    0x9C9E,
    0x9C9F,
];
/// These go along, but are no reason for a block.
const COMPANIONS: [u16; 4] = [tag::ORIENTATION, tag::X_RESOLUTION, tag::Y_RESOLUTION, tag::RESOLUTION_UNIT];

/// Values above this are left out; notes of camera makers reach some hundred kilobytes.
const MAX_VALUE: u64 = 1 << 20;
/// What all values may take together.
const MAX_BLOCK: u64 = 4 << 20;

/// A field with its value as it stands.
struct Field {
    tag: u16,
    kind: Type,
    count: u32,
    value: Value,
}

enum Value {
    Bytes(Vec<u8>),
    /// The offset of a directory.
    Directory(Vec<Field>),
}

/// The block, where the page has anything to say.
///
/// # Errors
/// `Io`, `Limit`.
pub(super) fn rebuild(ifds: &mut Ifds<'_>, directory: &Directory, budget: &Budget) -> Result<Option<Vec<u8>>> {
    let mut room = MAX_BLOCK;
    let mut top = fields(ifds, directory, &mut room, |tag| DESCRIPTIONS.contains(&tag))?;
    for pointer in [tag::EXIF_IFD, tag::GPS_IFD] {
        top.extend(child(ifds, directory, pointer, &mut room)?);
    }
    if top.is_empty() {
        return Ok(None);
    }
    top.extend(fields(ifds, directory, &mut room, |tag| COMPANIONS.contains(&tag))?);
    let order = ifds.order();
    let size = 8 + directory_len(&mut top);
    budget.charge(2 * size as u64)?;
    let mut block = Block { bytes: Vec::with_capacity(size), order };
    block.bytes.extend(if order == Order::Little { b"II" } else { b"MM" });
    block.number(42, 2);
    block.number(8, 4);
    block.directory(&top);
    Ok(Some(block.bytes))
}

/// A child directory as a field, where there is one. Only EXIF's own has a child in turn.
fn child(ifds: &mut Ifds<'_>, directory: &Directory, pointer: u16, room: &mut u64) -> Result<Option<Field>> {
    let Some(at) = ifds.number_of(directory, pointer)? else { return Ok(None) };
    let Some(child_directory) = ifds.read(at).map(Some).or_else(without_damage)? else { return Ok(None) };
    let is_pointer = |tag| matches!(tag, tag::EXIF_IFD | tag::GPS_IFD | tag::INTEROPERABILITY_IFD);
    let mut inside = fields(ifds, &child_directory, room, |tag| !is_pointer(tag))?;
    if pointer == tag::EXIF_IFD {
        inside.extend(child(ifds, &child_directory, tag::INTEROPERABILITY_IFD, room)?);
    }
    let field = Field { tag: pointer, kind: Type::LONG, count: 1, value: Value::Directory(inside) };
    Ok(Some(field).filter(|field| matches!(&field.value, Value::Directory(fields) if !fields.is_empty())))
}

/// A directory that cannot be read is none; a carrier that fails is a failure.
fn without_damage(error: raster::Error) -> Result<Option<Directory>> {
    match error {
        raster::Error::Malformed { .. } => Ok(None),
        other => Err(other),
    }
}

/// The fields of a directory that are wanted, whole, and of a type that EXIF has.
fn fields(
    ifds: &mut Ifds<'_>,
    directory: &Directory,
    room: &mut u64,
    is_wanted: impl Fn(u16) -> bool,
) -> Result<Vec<Field>> {
    let mut fields: Vec<Field> = Vec::new();
    for entry in &directory.entries {
        let size = entry.kind.bytes().unwrap_or(0).saturating_mul(entry.count);
        let is_known = entry.kind.0 <= 12 && size > 0 && size <= MAX_VALUE.min(*room);
        if !is_known || !is_wanted(entry.tag) || fields.iter().any(|field| field.tag == entry.tag) {
            continue;
        }
        let bytes = ifds.bytes(entry, size)?;
        if bytes.len() as u64 == size {
            *room -= size;
            fields.push(Field {
                tag: entry.tag,
                kind: entry.kind,
                count: entry.count as u32,
                value: Value::Bytes(bytes),
            });
        }
    }
    Ok(fields)
}

/// Bytes that a directory takes with all that hangs off it; puts its fields in order on the way (TIFF 6.0 §2).
fn directory_len(fields: &mut [Field]) -> usize {
    fields.sort_by_key(|field| field.tag);
    let entries = 12 * fields.len();
    let values = fields.iter_mut().map(|field| match &mut field.value {
        Value::Bytes(bytes) if bytes.len() <= 4 => 0,
        // Values start at even offsets.
        Value::Bytes(bytes) => bytes.len().next_multiple_of(2),
        Value::Directory(fields) => directory_len(fields),
    });
    2 + entries + 4 + values.sum::<usize>()
}

struct Block {
    bytes: Vec<u8>,
    order: Order,
}

impl Block {
    fn number(&mut self, value: u32, bytes: usize) {
        match self.order {
            Order::Little => self.bytes.extend(&value.to_le_bytes()[..bytes]),
            Order::Big => self.bytes.extend(&value.to_be_bytes()[4 - bytes..]),
        }
    }

    /// Appends a directory, then the values that do not fit into it, then its children.
    fn directory(&mut self, fields: &[Field]) {
        self.number(fields.len() as u32, 2);
        let mut places = Vec::new();
        for field in fields {
            self.number(field.tag.into(), 2);
            self.number(field.kind.0.into(), 2);
            self.number(field.count, 4);
            match &field.value {
                Value::Bytes(bytes) if bytes.len() <= 4 => {
                    self.bytes.extend(bytes);
                    self.bytes.extend(&[0; 4][bytes.len()..]);
                }
                value => {
                    places.push((self.bytes.len(), value));
                    self.number(0, 4);
                }
            }
        }
        self.number(0, 4);
        for (place, value) in places {
            let at = self.bytes.len() as u32;
            let offset = if self.order == Order::Little { at.to_le_bytes() } else { at.to_be_bytes() };
            self.bytes[place..place + 4].copy_from_slice(&offset);
            match value {
                Value::Bytes(bytes) => {
                    self.bytes.extend(bytes);
                    self.bytes.extend(&[0][..bytes.len() % 2]);
                }
                Value::Directory(fields) => self.directory(fields),
            }
        }
    }
}
