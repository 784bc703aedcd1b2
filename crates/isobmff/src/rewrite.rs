//! The copy of a file with other metadata.
//!
//! No byte of a picture moves: the copy is as long as the file, and lists of items that become shorter are followed
//! by a box `free`. Only what describes the picture and the data of its items are copied; all else becomes zeros, so
//! nothing of the old metadata stays.

mod lists;
mod movie;

use core::ops::Range;

use raster::{Budget, ByteSink, ByteSource, Cursor, Error, Format, Metadata, Result};

use crate::container::{Container, header, load};
use crate::fields::{Fields, FourCc};
use crate::meta_box::Item;
use crate::track::Track;
use crate::{Cause, MOST_BOXES};
use lists::{has_no_properties, items, places, references};

/// Copies a file with `metadata` instead of its own EXIF and XMP. All other metadata are left out.
///
/// # Errors
/// `Unsupported` for metadata that are longer than those in the file, for places that cannot be changed, and for
/// animations in fragments; `Malformed`, `Io`, `Limit`.
pub fn rewrite_metadata(
    format: Format,
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    let container = Container::read(source, format, budget)?;
    let refused = |feature| Error::Unsupported { format, feature };
    // Pays for all lists and for the new data.
    let scope = budget.scope();
    scope.charge(metadata.byte_len())?;
    let changes = Changes::new(&container, metadata)?;
    let mut copy = Copy::default();
    copy.boxes(source, &changes, &scope).map_err(|fault| match fault {
        Fault::Broken(at, cause) => Error::malformed(format, at, cause),
        Fault::Refused(feature) => refused(feature),
        Fault::Other(error) => error,
    })?;
    for item in container.items().filter(|item| changes.of(item.id).is_none()) {
        let extents = item.extents.iter().flatten();
        copy.kept.extend(extents.map(|extent| extent.range()));
    }
    copy.samples(changes.tracks, &scope)?;
    copy.merge(source.byte_len());
    let mut taken: Vec<Range<u64>> = Vec::new();
    for (item, payload) in changes.replaced {
        let place = place(item, &payload).filter(|place| place.end <= source.byte_len());
        let place = place.ok_or(refused("metadata that are longer than those in the file"))?;
        if copy.kept.iter().chain(&taken).any(|other| other.start < place.end && place.start < other.end) {
            return Err(refused("metadata inside of other data"));
        }
        copy.patches.push((place.start, payload));
        taken.push(place);
    }
    copy.write(source, sink)
}

/// Returns where the new data of an item fit into its only extent.
fn place(item: &Item, payload: &[u8]) -> Option<Range<u64>> {
    let [extent] = item.extents.as_deref()? else { return None };
    let len = payload.len() as u64;
    extent.len.filter(|&had| len <= had).map(|_| extent.at..extent.at.saturating_add(len))
}

const IN_FRAGMENTS: &str = "replacing the metadata of an animation in fragments";

/// A reason why there is no copy.
enum Fault {
    /// A defect of the box at that offset.
    Broken(u64, Cause),
    /// A feature that is not supported.
    Refused(&'static str),
    /// An error of the source or of the budget.
    Other(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// The items that do not stay as they are.
struct Changes<'a> {
    /// Items with their new data.
    replaced: Vec<(&'a Item, Vec<u8>)>,
    /// The numbers of changed items with their new lengths, which are 0 for those that are left out.
    lens: Vec<(u32, u64)>,
    tracks: &'a [Track],
}

impl<'a> Changes<'a> {
    fn new(container: &'a Container, metadata: &Metadata) -> Result<Self> {
        let mut changes = Self { replaced: Vec::new(), lens: Vec::new(), tracks: container.tracks() };
        let primary = container.primary()?.id;
        // EXIF begins with the distance to its TIFF structure.
        let exif = metadata.exif.as_ref().map(|exif| [&[0; 4], exif.as_slice()].concat());
        for (payload, is_kind) in
            [(exif, Item::is_exif as fn(&Item) -> bool), (metadata.xmp.clone(), Item::is_xmp as fn(&Item) -> bool)]
        {
            let Some(payload) = payload else { continue };
            let item = container.referring(*b"cdsc", primary).find(|item| is_kind(item));
            let feature = "metadata of a kind that the file does not have";
            let item = item.ok_or(Error::Unsupported { format: container.format(), feature })?;
            changes.lens.push((item.id, payload.len() as u64));
            changes.replaced.push((item, payload));
        }
        let is_metadata = |item: &&Item| matches!(&item.kind, b"Exif" | b"mime" | b"uri ") && item.id != primary;
        let others = container.items().filter(is_metadata).map(|item| item.id);
        let removed: Vec<_> = others.filter(|&id| changes.of(id).is_none()).map(|id| (id, 0)).collect();
        changes.lens.extend(removed);
        Ok(changes)
    }

    /// Returns the number of bytes of the changed item `id`; 0 if it is left out, `None` if it stays as it is.
    fn of(&self, id: u32) -> Option<u64> {
        self.lens.iter().find(|(changed, _)| *changed == id).map(|&(_, len)| len)
    }
}

/// The bytes of a copy.
#[derive(Default)]
struct Copy {
    /// The ranges that are copied; all else becomes zeros.
    kept: Vec<Range<u64>>,
    /// Bytes that are written over the copy, with their offsets.
    patches: Vec<(u64, Vec<u8>)>,
}

impl Copy {
    /// Adds the boxes of the file.
    fn boxes(&mut self, source: &dyn ByteSource, changes: &Changes<'_>, budget: &Budget) -> Result<(), Fault> {
        let (mut at, mut has_meta, mut has_movie, mut count) = (0, false, false, 0);
        while let Some((kind, contents)) = header(source, at)? {
            count += 1;
            if count > MOST_BOXES {
                return Err(Fault::Refused("replacing the metadata of a file of so many boxes"));
            }
            match &kind {
                b"ftyp" => self.keep(at..contents.end),
                b"meta" if !has_meta => {
                    has_meta = true;
                    self.keep(at..contents.start);
                    let bytes = load(source, contents.clone(), budget)?;
                    let meta = Piece { at: contents.start, bytes: &bytes };
                    self.meta(meta, changes).map_err(|fault| match fault {
                        Fault::Broken(_, cause) => Fault::Broken(at, cause),
                        fault => fault,
                    })?;
                }
                b"mdat" => self.keep(at..contents.start),
                b"moov" if !has_movie => {
                    has_movie = true;
                    self.keep(at..contents.start);
                    let bytes = load(source, contents.clone(), budget)?;
                    self.movie(Piece { at: contents.start, bytes: &bytes }, changes)?;
                }
                b"moof" => return Err(Fault::Refused(IN_FRAGMENTS)),
                _ => self.blank(at..contents.start),
            }
            at = contents.end;
        }
        Ok(())
    }

    /// Adds the boxes of the box `meta`.
    fn meta(&mut self, mut meta: Piece<'_>, changes: &Changes<'_>) -> Result<(), Fault> {
        // QuickTime writes the box without a version.
        if meta.bytes.get(4..8) != Some(b"hdlr") {
            self.keep(meta.next(4)?.range());
        }
        while let Some(inner) = meta.next_box()? {
            match &inner.kind {
                b"hdlr" | b"pitm" | b"grpl" | b"dinf" => self.keep(inner.all.range()),
                b"idat" => self.keep(inner.header()),
                b"iprp" => self.properties(&inner, changes)?,
                b"iinf" => self.shorten(&inner, items(inner.contents, changes)?)?,
                b"iloc" => self.shorten(&inner, places(inner.contents, changes)?)?,
                b"iref" => self.shorten(&inner, references(inner.contents, changes)?)?,
                _ => self.blank(inner.header()),
            }
        }
        Ok(())
    }

    /// Adds the properties without descriptions by users.
    fn properties(&mut self, iprp: &Boxed<'_>, changes: &Changes<'_>) -> Result<(), Fault> {
        self.keep(iprp.header());
        let mut lists = iprp.contents;
        while let Some(mut list) = lists.next_box()? {
            if list.kind == *b"ipco" {
                self.keep(list.header());
                while let Some(property) = list.contents.next_box()? {
                    match &property.kind {
                        b"udes" | b"uuid" | b"free" | b"skip" => self.blank(property.header()),
                        _ => self.keep(property.all.range()),
                    }
                }
            } else {
                has_no_properties(&list, changes)?;
                self.keep(list.all.range());
            }
        }
        Ok(())
    }

    /// Keeps a box with other contents, which are not longer, and a box `free` behind it.
    fn shorten(&mut self, old: &Boxed<'_>, contents: Vec<u8>) -> Result<(), Fault> {
        let header = old.header();
        let header_len = (header.end - header.start) as usize;
        let all = old.all.bytes.len();
        let gap = old.contents.bytes.len() - contents.len();
        if (1..8).contains(&gap) {
            return Err(Fault::Refused("a list of items that is shorter by less than a box"));
        }
        let mut bytes = [&old.all.bytes[..header_len], &contents].concat();
        match header_len {
            16 => bytes[8..16].copy_from_slice(&((all - gap) as u64).to_be_bytes()),
            _ => bytes[..4].copy_from_slice(&((all - gap) as u32).to_be_bytes()),
        }
        if gap > 0 {
            bytes.extend((gap as u32).to_be_bytes());
            bytes.extend(b"free");
        }
        self.keep(old.all.at..old.all.at + bytes.len() as u64);
        self.patches.push((old.all.at, bytes));
        Ok(())
    }

    /// Keeps a range. It is no part of its many callers, which would make these larger.
    #[inline(never)]
    fn keep(&mut self, range: Range<u64>) {
        self.kept.push(range);
    }

    /// Keeps the header of a box, which becomes one without contents that mean anything.
    #[inline(never)]
    fn blank(&mut self, header: Range<u64>) {
        self.patches.push((header.start + 4, b"free".to_vec()));
        self.keep(header);
    }

    /// Sorts and joins the ranges within a file of that length.
    fn merge(&mut self, file: u64) {
        raster::sort_by_key(&mut self.kept, |range| range.start);
        let mut merged: Vec<Range<u64>> = Vec::new();
        for range in self.kept.drain(..) {
            let range = range.start.min(file)..range.end.min(file);
            match merged.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => merged.push(range),
            }
        }
        self.kept = merged;
    }

    /// Writes the copy.
    fn write(&self, source: &dyn ByteSource, sink: &mut dyn ByteSink) -> Result<()> {
        let mut cursor = Cursor::new(source, 0);
        let mut at = 0;
        for kept in &self.kept {
            zeros(sink, kept.start - at)?;
            cursor.enter(kept.start, kept.end - kept.start);
            loop {
                let bytes = cursor.peek()?;
                let len = bytes.len();
                if len == 0 {
                    break;
                }
                sink.write(bytes)?;
                cursor.advance(len);
            }
            at = cursor.position();
        }
        zeros(sink, source.byte_len() - at)?;
        self.patches.iter().try_for_each(|(at, bytes)| sink.patch(*at, bytes))
    }
}

/// Writes `count` zeros.
fn zeros(sink: &mut dyn ByteSink, count: u64) -> Result<()> {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut left = count;
    while left > 0 {
        let part = left.min(ZEROS.len() as u64);
        sink.write(&ZEROS[..part as usize])?;
        left -= part;
    }
    Ok(())
}

/// Bytes of the file and their offset.
#[derive(Clone, Copy)]
struct Piece<'a> {
    at: u64,
    bytes: &'a [u8],
}

/// A box in a piece.
struct Boxed<'a> {
    kind: FourCc,
    all: Piece<'a>,
    contents: Piece<'a>,
}

impl Boxed<'_> {
    /// Returns the range of the header. The number of a box `uuid` belongs to its contents.
    fn header(&self) -> Range<u64> {
        let extra = if self.kind == *b"uuid" { 16 } else { 0 };
        self.all.at..self.contents.at - extra
    }
}

impl<'a> Piece<'a> {
    fn range(self) -> Range<u64> {
        self.at..self.at + self.bytes.len() as u64
    }

    /// Returns the next `len` bytes.
    fn next(&mut self, len: usize) -> Result<Self, Fault> {
        let (bytes, rest) = self.bytes.split_at_checked(len).ok_or(Fault::Broken(self.at, Cause::Ends))?;
        let next = Self { at: self.at, bytes };
        *self = Self { at: self.at + len as u64, bytes: rest };
        Ok(next)
    }

    /// Returns the next box; `None` where less than a header follows.
    fn next_box(&mut self) -> Result<Option<Boxed<'a>>, Fault> {
        let mut fields = Fields::new(self.bytes);
        let Some((kind, inner)) = fields.next_box().map_err(|cause| Fault::Broken(self.at, cause))? else {
            return Ok(None);
        };
        let all = self.next(self.bytes.len() - fields.rest.len())?;
        let at = all.at + (all.bytes.len() - inner.rest.len()) as u64;
        Ok(Some(Boxed { kind, all, contents: Piece { at, bytes: inner.rest } }))
    }
}

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Self {
        Self::Broken(0, cause)
    }
}
