//! A file: its boxes, the picture that it shows, and the data of items.

use raster::{Budget, ByteSource, Error, Format, Orientation, Rect, Result, Size};

use crate::fields::{Fields, FourCc};
use crate::meta_box::{Item, MetaBox};
use crate::property::{CodePoints, Property, code_points, configuration, profile};
use crate::track::{self, Track};
use crate::{Cause, Extent, LONGEST_BOX, LONGEST_START, MOST_BOXES};

/// The description of a file.
#[derive(Debug)]
pub struct Container {
    format: Format,
    /// The brand that comes first.
    brand: FourCc,
    meta: MetaBox,
    tracks: Vec<Track>,
}

/// The tiles of a picture (ISO/IEC 23008-12 §6.6.2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The tiles in a row.
    pub columns: u32,
    /// The rows of tiles.
    pub rows: u32,
    /// The size of the picture, which the tiles can exceed at the right and at the bottom.
    pub size: Size,
    /// The numbers of the items, row by row.
    pub tiles: Vec<u32>,
}

/// The size of a picture and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The size of the decoded picture.
    pub coded: Size,
    /// The part that is shown.
    pub shown: Rect,
    /// How that part is turned.
    pub orientation: Orientation,
    /// Whether the file asks for a crop that is impossible; all is shown then.
    pub is_crop_broken: bool,
}

impl Container {
    /// Reads the boxes that describe a file of `format`.
    ///
    /// # Errors
    /// `Malformed` for files without pictures, `Io` from the source, `Limit` when the description exceeds the budget.
    pub fn read(source: &dyn ByteSource, format: Format, budget: &Budget) -> Result<Self> {
        let mut container = Self { format, brand: [0; 4], meta: MetaBox::default(), tracks: Vec::new() };
        let mut at = 0;
        for _ in 0..MOST_BOXES {
            let Some((kind, contents)) = header(source, at)? else { break };
            let refused = |cause| Error::malformed(format, at, cause);
            match &kind {
                b"ftyp" if at == 0 => {
                    let mut brand = [0; 4];
                    source.read_full_at(contents.start, &mut brand)?;
                    container.brand = brand;
                }
                b"meta" if container.meta.items.is_empty() => {
                    let scope = budget.scope();
                    let bytes = load(source, contents.clone(), &scope)?;
                    container.meta = MetaBox::read(&bytes, contents.start).map_err(refused)?;
                    drop(scope);
                    budget.charge(container.meta.byte_len())?;
                }
                b"moov" if container.tracks.is_empty() => {
                    let scope = budget.scope();
                    let bytes = load(source, contents.clone(), &scope)?;
                    container.tracks = track::tracks(&bytes, budget, refused)?;
                    drop(scope);
                    budget.charge(container.tracks.iter().map(Track::byte_len).sum())?;
                }
                _ => {}
            }
            at = contents.end;
        }
        if container.meta.items.is_empty() && container.tracks.is_empty() {
            return Err(Error::malformed(format, at, Cause::NoPicture));
        }
        Ok(container)
    }

    /// Returns the format of the file.
    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    /// Returns all tracks that were read.
    pub(crate) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns all items.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Item> {
        self.meta.items.iter()
    }

    /// Returns the error for a defect of the file.
    #[must_use]
    pub fn refusal(&self, cause: Cause) -> Error {
        Error::malformed(self.format, 0, cause)
    }

    /// Returns the picture that the file shows.
    ///
    /// # Errors
    /// `Malformed` if there is none, `Unsupported` if it has a property that must be understood and is not.
    pub fn primary(&self) -> Result<&Item> {
        self.picture(self.meta.primary)
    }

    /// Returns a picture that the file shows, or a part of it.
    ///
    /// # Errors
    /// As [`Container::primary`].
    pub fn picture(&self, id: u32) -> Result<&Item> {
        let item = self.item(id).ok_or_else(|| self.refusal(Cause::NoItem))?;
        let mut essential = item.properties.iter().filter(|(_, is_essential)| *is_essential);
        let is_known = |index: usize| self.meta.properties.get(index).is_some_and(Property::is_known);
        if !essential.all(|&(index, _)| is_known(index)) {
            return Err(Error::Unsupported { format: self.format, feature: "a property of the picture" });
        }
        Ok(item)
    }

    /// Returns the item of that number.
    #[must_use]
    pub fn item(&self, id: u32) -> Option<&Item> {
        let index = self.meta.items.binary_search_by_key(&id, |item| item.id).ok()?;
        self.meta.items.get(index)
    }

    /// Returns the items of that type.
    pub fn items_of(&self, kind: FourCc) -> impl Iterator<Item = &Item> {
        self.meta.items.iter().filter(move |item| item.kind == kind)
    }

    /// Returns the beginning of a file that shows the item `id` and is else the same: the bytes up to the number of the
    /// item that is shown. `None` if the number is not near the beginning, or too short for `id`.
    ///
    /// # Errors
    /// `Io`; `Limit`.
    pub fn start_showing(&self, source: &dyn ByteSource, id: u32, budget: &Budget) -> Result<Option<Vec<u8>>> {
        let Some(place) = self.meta.primary_at.clone().filter(|place| place.end <= LONGEST_START) else {
            return Ok(None);
        };
        let number = id.to_be_bytes();
        let (unused, number) = number.split_at(number.len() - (place.end - place.start) as usize);
        if unused.iter().any(|&byte| byte != 0) {
            return Ok(None);
        }
        let mut start = budget.filled(place.end, 0)?;
        source.read_full_at(0, &mut start)?;
        start[place.start as usize..].copy_from_slice(number);
        Ok(Some(start))
    }

    /// Returns the properties of an item, in order.
    pub fn properties<'a>(&'a self, item: &'a Item) -> impl Iterator<Item = &'a Property> {
        item.properties.iter().filter_map(|&(index, _)| self.meta.properties.get(index))
    }

    /// Returns the auxiliary picture of that kind of the item `id`.
    #[must_use]
    pub fn auxiliary(&self, id: u32, urn: &[u8]) -> Option<&Item> {
        let is_kind = |property: &Property| matches!(property, Property::Auxiliary(found) if found == urn);
        self.referring(*b"auxl", id).find(|item| self.properties(item).any(is_kind))
    }

    /// Returns the items that refer to the item `id` by that kind of reference.
    pub fn referring(&self, kind: FourCc, id: u32) -> impl Iterator<Item = &Item> {
        let references = self.meta.references.iter().filter(move |found| found.kind == kind && found.to.contains(&id));
        references.filter_map(|found| self.item(found.from))
    }

    /// Returns the items to which the item `id` refers.
    #[must_use]
    pub fn referred(&self, kind: FourCc, id: u32) -> &[u32] {
        let found = self.meta.references.iter().find(|found| found.kind == kind && found.from == id);
        found.map_or(&[], |found| &found.to)
    }

    /// Returns the item with the alpha of the item `id`.
    #[must_use]
    pub fn alpha(&self, id: u32) -> Option<&Item> {
        let is_alpha = |item: &&Item| self.properties(item).any(is_alpha);
        self.referring(*b"auxl", id).find(is_alpha)
    }

    /// Whether the colours of the item `id` are multiplied by the alpha of the item `alpha`.
    #[must_use]
    pub fn is_premultiplied(&self, id: u32, alpha: u32) -> bool {
        self.referred(*b"prem", id).contains(&alpha)
    }

    /// Returns the code points of the colours of an item.
    #[must_use]
    pub fn code_points(&self, item: &Item) -> Option<CodePoints> {
        code_points(self.properties(item))
    }

    /// Returns the configuration of an item's decoder.
    #[must_use]
    pub fn configuration<'a>(&'a self, item: &'a Item) -> Option<&'a [u8]> {
        configuration(self.properties(item))
    }

    /// Returns the ICC profile of an item, byte for byte.
    #[must_use]
    pub fn profile<'a>(&'a self, item: &'a Item) -> Option<&'a [u8]> {
        profile(self.properties(item))
    }

    /// Returns the operating point of AV1 with which an item is decoded.
    #[must_use]
    pub fn operating_point(&self, item: &Item) -> u8 {
        let point =
            |property: &Property| if let Property::OperatingPoint(point) = property { Some(*point) } else { None };
        self.properties(item).find_map(point).unwrap_or(0)
    }

    /// Returns the size of an item before it is cropped and turned; `None` if the file does not state it.
    #[must_use]
    pub fn size(&self, item: &Item) -> Option<Size> {
        let size = |property: &Property| if let Property::Size(size) = property { Some(*size) } else { None };
        self.properties(item).find_map(size).filter(|size| !size.is_empty())
    }

    /// Returns how an item of that size is shown.
    #[must_use]
    pub fn geometry(&self, item: &Item, coded: Size) -> Geometry {
        Geometry::new(coded, self.properties(item))
    }

    /// Returns the tiles of an item `grid`.
    ///
    /// # Errors
    /// `Malformed`, `Io`.
    pub fn tile_grid(&self, source: &dyn ByteSource, item: &Item, budget: &Budget) -> Result<Grid> {
        let bytes = self.bytes(source, item, budget)?;
        let tiles = self.referred(*b"dimg", item.id);
        grid(&bytes, tiles).map_err(|cause| self.refusal(cause))
    }

    /// Reads the data of an item.
    ///
    /// # Errors
    /// `Malformed` when the file says no place or ends before the data do; `Io`; `Limit`.
    pub fn bytes(&self, source: &dyn ByteSource, item: &Item, budget: &Budget) -> Result<Vec<u8>> {
        self.join(source, self.extents(item)?, budget)
    }

    /// Returns the places of the data of an item.
    ///
    /// # Errors
    /// `Malformed` if the file says none.
    pub fn extents<'a>(&self, item: &'a Item) -> Result<&'a [Extent]> {
        item.extents.as_deref().ok_or_else(|| self.refusal(Cause::Place))
    }

    /// Reads ranges of the file, one behind the other.
    ///
    /// # Errors
    /// As [`Container::bytes`].
    pub fn join(&self, source: &dyn ByteSource, extents: &[Extent], budget: &Budget) -> Result<Vec<u8>> {
        let file = source.byte_len();
        let ends = |extent: &Extent| Error::malformed(self.format, extent.at.min(file), Cause::Ends);
        let mut lens = Vec::new();
        let mut sum = 0_u64;
        for extent in extents {
            let left = file.checked_sub(extent.at).ok_or_else(|| ends(extent))?;
            let len = extent.len.unwrap_or(left);
            // The parts of an item do not overlap, so all of them together are not longer than the file.
            sum = sum.saturating_add(len);
            if len > left || sum > file {
                return Err(ends(extent));
            }
            lens.push(len as usize);
        }
        let mut bytes = budget.filled(sum, 0)?;
        let mut rest = bytes.as_mut_slice();
        for (extent, len) in extents.iter().zip(lens) {
            let (part, next) = rest.split_at_mut(len);
            if source.read_full_at(extent.at, part)? < len {
                return Err(ends(extent));
            }
            rest = next;
        }
        if sum == 0 { Err(self.refusal(Cause::Ends)) } else { Ok(bytes) }
    }

    /// Returns the track of the animation with that codec, and the track of its alpha. Files whose first brand is that
    /// of sequences, and files without items, are animations.
    #[must_use]
    pub fn sequence(&self, brand: FourCc, codec: FourCc) -> Option<(&Track, Option<&Track>)> {
        if self.brand != brand && !self.meta.items.is_empty() {
            return None;
        }
        let has_codec = |track: &&Track| track.codec == codec && !track.samples.is_empty();
        let colors = self.tracks.iter().filter(has_codec).find(|track| track.auxiliary_of.is_none())?;
        let is_alpha = |track: &&Track| track.auxiliary_of == Some(colors.id) && track.properties.iter().any(is_alpha);
        Some((colors, self.tracks.iter().filter(has_codec).find(is_alpha)))
    }
}

impl Geometry {
    /// Returns how a picture of the size `coded` with these properties is shown: cropped, then turned in the order of
    /// the properties.
    #[must_use]
    pub fn new<'a>(coded: Size, properties: impl Iterator<Item = &'a Property>) -> Self {
        let whole = Rect { x: 0, y: 0, width: coded.width, height: coded.height };
        let mut geometry = Self { coded, shown: whole, orientation: Orientation::Upright, is_crop_broken: false };
        for property in properties {
            match property {
                Property::CleanAperture(aperture) => match aperture.rect(coded) {
                    Some(rect) => geometry.shown = rect,
                    None => geometry.is_crop_broken = true,
                },
                Property::Turn(turn) => geometry.orientation = geometry.orientation.then(*turn),
                _ => {}
            }
        }
        geometry
    }
}

fn is_alpha(property: &Property) -> bool {
    let Property::Auxiliary(urn) = property else { return false };
    matches!(urn.as_slice(), b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" | b"urn:mpeg:hevc:2015:auxid:1")
}

/// Reads the contents of an item `grid`.
fn grid(bytes: &[u8], tiles: &[u32]) -> Result<Grid, Cause> {
    let mut fields = Fields::new(bytes);
    let [version, flags, rows, columns] = fields.array()?;
    let len = if flags & 1 == 1 { 4 } else { 2 };
    let mut side = || fields.number(len).map(|side| side as u32);
    let size = Size::new(side()?, side()?);
    let (rows, columns) = (u32::from(rows) + 1, u32::from(columns) + 1);
    if version != 0 || size.is_empty() || tiles.len() as u64 != u64::from(rows) * u64::from(columns) {
        return Err(Cause::Grid);
    }
    Ok(Grid { columns, rows, size, tiles: tiles.to_vec() })
}

/// Reads the header of the box at `at`. Returns its type and the range of its contents, as far as the file has them;
/// `None` at the end of the file, and where there is no box.
pub(crate) fn header(source: &dyn ByteSource, at: u64) -> Result<Option<(FourCc, core::ops::Range<u64>)>> {
    let mut bytes = [0; 16];
    let filled = source.read_full_at(at, &mut bytes)? as u64;
    let [l0, l1, l2, l3, k0, k1, k2, k3, long @ ..] = bytes;
    let (header, len) = match u32::from_be_bytes([l0, l1, l2, l3]) {
        0 => (8, u64::MAX),
        1 => (16, u64::from_be_bytes(long)),
        len => (8, u64::from(len)),
    };
    if filled < header || len < header {
        return Ok(None);
    }
    let end = at.saturating_add(len).min(source.byte_len());
    Ok(Some(([k0, k1, k2, k3], at + header..end)))
}

/// Reads the contents of a box, and charges them and the lists that are made of them.
pub(crate) fn load(source: &dyn ByteSource, range: core::ops::Range<u64>, budget: &Budget) -> Result<Vec<u8>> {
    /// An entry of a list takes at most so many times the bytes of the file, mostly while the list grows.
    const LISTS: u64 = 16;
    let len = (range.end - range.start).min(LONGEST_BOX);
    budget.charge(len.saturating_mul(LISTS))?;
    let mut bytes = budget.filled(len, 0)?;
    let filled = source.read_full_at(range.start, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}
