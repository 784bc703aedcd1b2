//! The box `meta`: items, their places, properties and references.

use core::ops::Range;

use crate::fields::{Fields, FourCc};
use crate::property::Property;
use crate::{Cause, MOST_ITEMS};

/// A picture, a part of one, or metadata.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// The number by which others name it.
    pub id: u32,
    /// The type: `av01`, `hvc1`, `grid`, `Exif`, `mime` …
    pub kind: FourCc,
    /// The MIME type of an item `mime`.
    pub content_type: Vec<u8>,
    /// The parts of its data, in order; `None` if the file does not say where they are.
    pub(crate) extents: Option<Vec<Extent>>,
    /// Indexes of properties, in order, and whether each one must be understood.
    pub(crate) properties: Vec<(usize, bool)>,
}

impl Item {
    /// Whether the item is EXIF.
    pub(crate) fn is_exif(&self) -> bool {
        self.kind == *b"Exif"
    }

    /// Whether the item is XMP.
    pub(crate) fn is_xmp(&self) -> bool {
        self.kind == *b"mime" && self.content_type == b"application/rdf+xml"
    }
}

/// A range of bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first byte.
    pub at: u64,
    /// The number of bytes; `None` up to the end of the file.
    pub len: Option<u64>,
}

impl Extent {
    /// Returns the range of the file, which may end before it.
    pub(crate) fn range(&self) -> Range<u64> {
        self.at..self.at.saturating_add(self.len.unwrap_or(u64::MAX))
    }
}

/// A reference from an item to others.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) kind: FourCc,
    pub(crate) from: u32,
    pub(crate) to: Vec<u32>,
}

/// The contents of the box.
#[derive(Debug, Default)]
pub(crate) struct MetaBox {
    pub(crate) primary: u32,
    /// The bytes of the file that store the number of the primary item: 2, or 4.
    pub(crate) primary_at: Option<Range<u64>>,
    pub(crate) items: Vec<Item>,
    pub(crate) properties: Vec<Property>,
    pub(crate) references: Vec<Reference>,
}

impl MetaBox {
    /// Reads the contents of the box, of which the first byte is at `offset` in the file.
    pub(crate) fn read(contents: &[u8], offset: u64) -> Result<Self, Cause> {
        let mut meta = Self::default();
        let mut fields = Fields::new(contents);
        // QuickTime writes the box without a version.
        if contents.get(4..8) != Some(b"hdlr") {
            fields.version()?;
        }
        let (mut places, mut idat) = (None, 0);
        while let Some((kind, mut inner)) = fields.next_box()? {
            // The place in the file of the rest of the inner box.
            let behind = fields.rest.len();
            let place = |inner: Fields<'_>| offset + (contents.len() - behind - inner.rest.len()) as u64;
            match &kind {
                b"pitm" => {
                    let (version, _) = inner.version()?;
                    let at = place(inner);
                    meta.primary = inner.id(version > 0)?;
                    meta.primary_at = Some(at..place(inner));
                }
                b"iinf" => meta.read_items(inner)?,
                b"iloc" => places = Some(inner),
                b"idat" => idat = place(inner),
                b"iref" => meta.read_references(inner)?,
                b"iprp" => meta.read_properties(inner)?,
                _ => {}
            }
        }
        if let Some(places) = places {
            meta.read_places(places, idat)?;
        }
        Ok(meta)
    }

    /// Returns the bytes of memory of all lists, as far as files can make them long.
    pub(crate) fn byte_len(&self) -> u64 {
        let item = |item: &Item| {
            let extents = item.extents.as_ref().map_or(0, Vec::capacity) * size_of::<Extent>();
            extents + item.content_type.capacity() + item.properties.capacity() * size_of::<(usize, bool)>()
        };
        let items = self.items.capacity() * size_of::<Item>() + self.items.iter().map(item).sum::<usize>();
        let reference = |reference: &Reference| size_of::<Reference>() + 4 * reference.to.capacity();
        let references = 2 * self.references.iter().map(reference).sum::<usize>();
        let properties = self.properties.capacity() * size_of::<Property>();
        (items + references + properties) as u64 + self.properties.iter().map(Property::byte_len).sum::<u64>()
    }

    fn item(&mut self, id: u32) -> Option<&mut Item> {
        let index = self.items.binary_search_by_key(&id, |item| item.id).ok()?;
        self.items.get_mut(index)
    }

    /// Box `iinf`: the types of items.
    fn read_items(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        let (version, _) = fields.version()?;
        fields.id(version > 0)?;
        while let Some((kind, mut entry)) = fields.next_box()? {
            let (version, _) = entry.version()?;
            // Items of earlier versions have no type.
            if kind != *b"infe" || version < 2 {
                continue;
            }
            let id = entry.id(version > 2)?;
            entry.u16()?;
            let kind = entry.array()?;
            let mut texts = entry.rest.split(|&byte| byte == 0).skip(1);
            let content_type = if kind == *b"mime" { texts.next().unwrap_or_default().to_vec() } else { Vec::new() };
            if self.items.len() == MOST_ITEMS {
                return Err(Cause::NoItem);
            }
            self.items.push(Item { id, kind, content_type, ..Item::default() });
        }
        // Found by number from here on; of two with the same number the first one counts.
        raster::sort_by_key(&mut self.items, |item| item.id.into());
        self.items.dedup_by_key(|item| item.id);
        Ok(())
    }

    /// Box `iloc`: the places of items in the file, or in box `idat`, whose contents begin at `idat`.
    fn read_places(&mut self, mut fields: Fields<'_>, idat: u64) -> Result<(), Cause> {
        let (version, _) = fields.version()?;
        if version > 2 {
            return Err(Cause::Version);
        }
        let sizes = fields.u16()?;
        let [offset_len, length_len, base_len, index_len] = [12, 8, 4, 0].map(|shift| usize::from(sizes >> shift & 15));
        let index_len = if version == 0 { 0 } else { index_len };
        if [offset_len, length_len, base_len, index_len].iter().any(|len| ![0, 4, 8].contains(len)) {
            return Err(Cause::Place);
        }
        let count = fields.id(version == 2)?;
        for _ in 0..count {
            let id = fields.id(version == 2)?;
            let method = if version == 0 { 0 } else { fields.u16()? & 15 };
            let is_elsewhere = fields.u16()? != 0;
            let base = fields.number(base_len)?;
            let (count, mut extents) = (fields.u16()?, Vec::new());
            if count > 1 && offset_len + length_len == 0 {
                return Err(Cause::Place);
            }
            for _ in 0..count {
                fields.number(index_len)?;
                let (offset, len) = (fields.number(offset_len)?, fields.number(length_len)?);
                let start = if method == 1 { idat } else { 0 };
                let at = start.checked_add(base).and_then(|at| at.checked_add(offset)).ok_or(Cause::Place)?;
                extents.push(Extent { at, len: (len > 0).then_some(len) });
            }
            let Some(item) = self.item(id) else { continue };
            if item.extents.is_some() {
                return Err(Cause::Place);
            }
            item.extents = Some(extents).filter(|_| method < 2 && !is_elsewhere);
        }
        Ok(())
    }

    /// Box `iref`: references between items.
    fn read_references(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        let (version, _) = fields.version()?;
        while let Some((kind, mut entry)) = fields.next_box()? {
            let from = entry.id(version > 0)?;
            let to = (0..entry.u16()?).map(|_| entry.id(version > 0)).collect::<Result<_, _>>()?;
            if self.references.len() == MOST_ITEMS {
                return Err(Cause::NoItem);
            }
            self.references.push(Reference { kind, from, to });
        }
        Ok(())
    }

    /// Box `iprp`: the properties, then which items have which.
    fn read_properties(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        while let Some((kind, mut inner)) = fields.next_box()? {
            match &kind {
                b"ipco" => {
                    while let Some((kind, property)) = inner.next_box()? {
                        if self.properties.len() == MOST_ITEMS {
                            return Err(Cause::NoItem);
                        }
                        self.properties.push(Property::read(kind, property)?);
                    }
                }
                b"ipma" => self.read_associations(inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_associations(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        let (version, flags) = fields.version()?;
        for _ in 0..fields.u32()? {
            let id = fields.id(version > 0)?;
            let mut properties = Vec::new();
            for _ in 0..fields.u8()? {
                let (index, is_essential) = if flags & 1 == 1 {
                    let index = fields.u16()?;
                    (index & 0x7FFF, index >> 15 == 1)
                } else {
                    let index = fields.u8()?;
                    (u16::from(index & 0x7F), index >> 7 == 1)
                };
                // Numbers begin at 1; 0 is no property.
                if let Some(index) = usize::from(index).checked_sub(1) {
                    properties.push((index, is_essential));
                }
            }
            if let Some(item) = self.item(id) {
                item.properties.extend(properties);
            }
        }
        Ok(())
    }
}
