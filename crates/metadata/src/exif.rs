//! Rewriting of EXIF (CIPA DC-008, a TIFF structure) for a picture of another size.
//!
//! Maker notes contain offsets from the block's start, in unpublished forms. A program that moves a note breaks it.
//! Therefore a maker note and everything before it keep their positions; only values behind it move up. Bytes to which
//! no entry points (a removed directory, the thumbnail, gaps that editors left) are not copied.

use core::ops::Range;

use ifd::{Block, Builder, Entry, Kind, Order, tag};
use raster::{Orientation, Resolution};

use crate::compact::compact;
use crate::maker;
use crate::names;
use crate::policy::{Picture, Policy};

/// The bytes of an entry.
const ENTRY: usize = Block::ENTRY;

/// The header of TIFF: byte order, 42, and at [`FIRST`] the offset of the first directory.
const HEADER: Range<usize> = 0..8;
const FIRST: usize = 4;

/// The bytes of the offset of the next directory. Some writers omit it at the block's end.
const NEXT: usize = 4;

/// Tags that describe how the source stored its pixels, or that point to data which are not copied: BitsPerSample,
/// Compression, PhotometricInterpretation, FillOrder, StripOffsets, SamplesPerPixel, RowsPerStrip, StripByteCounts,
/// PlanarConfiguration, Predictor, tiles, SubIFDs, GlobalParametersIFD, SampleFormat, JPEGTables, the old JPEG fields,
/// Kodak's and Leaf's directories, an ICC profile (handled separately).
#[rustfmt::skip]
const STALE: [u16; 26] = [
    0x0102, 0x0103, 0x0106, 0x010A, 0x0111, 0x0115, 0x0116, 0x0117, 0x011C, 0x013D, 0x0142, 0x0143, 0x0144, 0x0145,
    0x014A, 0x0190, 0x0153, 0x015B, 0x0200, 0x0201, 0x0202, 0x8290, 0x888A, 0xFE00, 0xC6F5, 0x8773,
];

/// Tags that describe colours other than sRGB's: the transfer function, the white point and the primaries of TIFF, and
/// the gamma of EXIF.
const OTHER_COLORS: [u16; 4] = [0x012D, 0x013E, 0x013F, 0xA500];

/// EXIF's tag for the colour space.
const COLOR_SPACE: u16 = 0xA001;

/// EXIF's tag for a set of rules for files, one of which implies Adobe RGB.
const INTEROPERABILITY_INDEX: u16 = 0x0001;

/// Tags that contain a place, or may contain one: XMP, IPTC and Photoshop's resources (handled separately, without
/// places), the tags of GeoTIFF and GDAL, and DNG's private data, whose form is not public.
#[rustfmt::skip]
const PLACES: [u16; 13] = [
    0x02BC, 0x83BB, 0x8649, 0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xA481, 0xC634,
];

/// The error for EXIF that is too damaged to be rewritten.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// The role of a directory. Tags have different meanings in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Main,
    Exif,
    Gps,
    Interop,
}

/// What happens to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Keep,
    Drop,
    /// Drop the entry, and write zeros over the bytes of its directory, even where kept values overlap them.
    Erase,
    /// Keep the entry, and rewrite the directory that it points to.
    Follow(Role),
    /// Replace the entry's number.
    Set(u32),
    /// Keep the maker note without previews and places.
    Note,
}

/// Rewrites a block for `picture`. Returns `None` when no entry is left.
///
/// # Errors
/// [`Broken`] when the header or the first directory is missing, or when values overlap in a way that no valid file
/// has.
pub(crate) fn rewrite(exif: &[u8], policy: Policy, picture: Picture) -> Result<Option<Vec<u8>>, Broken> {
    let rewritten = rewrite_once(exif, policy, picture)?;
    match &rewritten {
        Some(block) if policy != Policy::Everything && has_place(block, picture) => Err(Broken),
        _ => Ok(rewritten),
    }
}

/// Whether a block contains data that only [`Policy::Everything`] keeps. In a damaged block, the zeros that erase one
/// place can make another one readable.
fn has_place(block: &[u8], picture: Picture) -> bool {
    let with = |policy| rewrite_once(block, policy, picture);
    with(Policy::WithoutLocation) != with(Policy::Everything)
}

fn rewrite_once(exif: &[u8], policy: Policy, picture: Picture) -> Result<Option<Vec<u8>>, Broken> {
    let (block, first) = Block::open(exif, 0).ok_or(Broken)?;
    let mut plan = Plan {
        block,
        policy,
        picture,
        make: make(&block, first),
        spans: vec![HEADER],
        directories: Vec::new(),
        copied: Vec::new(),
        note: None,
        erased: Vec::new(),
    };
    plan.directory(first, Role::Main).ok_or(Broken)?;
    plan.assemble(first)
}

/// Whether a block may contain data that only [`Policy::Everything`] keeps, decided without rewriting it. It can be
/// true although [`rewrite`] finds none, never the reverse.
pub(crate) fn may_have_place(exif: &[u8]) -> bool {
    let Some((block, first)) = Block::open(exif, 0) else { return false };
    let make = make(&block, first);
    let mut left = vec![(first, Role::Main)];
    while let Some((at, role)) = left.pop() {
        for entry in block.entries(at).unwrap_or_default() {
            match (entry.tag, role) {
                (tag::EXIF_IFD, Role::Main) => left.extend(block.pointer(&entry).map(|at| (at, Role::Exif))),
                (tag::INTEROPERABILITY_IFD, Role::Exif) => {
                    left.extend(block.pointer(&entry).map(|at| (at, Role::Interop)));
                }
                (tag::GPS_IFD, Role::Main) => return true,
                (tag::MAKER_NOTE, Role::Exif) => {
                    let note = block.value(&entry);
                    if note.is_some_and(|note| maker::may_have_place(&block, &note, make)) {
                        return true;
                    }
                }
                _ if PLACES.contains(&entry.tag) => return true,
                _ => {}
            }
        }
    }
    false
}

/// Whether a block is one that [`orientation_alone`] returns.
pub(crate) fn is_orientation_alone(exif: &[u8]) -> bool {
    let Some((block, first)) = Block::open(exif, 0) else { return false };
    let entries = block.entries(first).unwrap_or_default();
    let is_short = exif.len() == Block::span(HEADER.end, 1).end && first == HEADER.end;
    is_short && entries.len() == 1 && ifd::orientation(exif).is_some()
}

/// Returns a block that contains the orientation only.
pub(crate) fn orientation_alone(orientation: Orientation) -> Option<Vec<u8>> {
    let mut block = Builder::new(Order::Big);
    block.shorts(tag::ORIENTATION, &[orientation.exif().into()]);
    block.into_block().ok()
}

/// The denominator of a written resolution.
const RESOLUTION_SCALE: f64 = 1000.0;

/// Returns the print resolution: XResolution and YResolution in the inches or centimetres of ResolutionUnit (§4.6.2).
pub(crate) fn resolution(exif: &[u8]) -> Option<Resolution> {
    let (block, first) = Block::open(exif, 0)?;
    let entries = block.entries(first)?;
    let find = |tag: u16| entries.iter().find(|entry| entry.tag == tag);
    let ratio = |entry: &Entry| -> Option<f64> {
        let at = block.value(entry).filter(|_| (entry.kind, entry.count) == (Kind::RATIONAL, 1))?.start;
        let value = f64::from(block.u32_at(at)?) / f64::from(block.u32_at(at + 4)?);
        (value.is_finite() && value > 0.0).then_some(value)
    };
    let per_inch = match find(0x0128).map_or(Some(2), |unit| block.number(unit)) {
        Some(2) => 1.0,
        Some(3) => 2.54,
        _ => return None,
    };
    Some(Resolution { x: ratio(find(0x011A)?)? * per_inch, y: ratio(find(0x011B)?)? * per_inch })
}

/// Replaces the print resolution where the block states one (§4.6.2).
pub(crate) fn set_resolution(exif: &mut [u8], resolution: Resolution) {
    let mut changes = Vec::new();
    if let Some((block, first)) = Block::open(exif, 0) {
        let order = block.order;
        let ratio = |value: f64| {
            let number = (value * RESOLUTION_SCALE).round() as u32;
            [order.bytes::<4>(number.into()), order.bytes::<4>(RESOLUTION_SCALE as u64)].concat()
        };
        for entry in block.entries(first).unwrap_or_default() {
            let bytes = match (entry.tag, entry.kind, entry.count) {
                (0x011A, Kind::RATIONAL, 1) => ratio(resolution.x),
                (0x011B, Kind::RATIONAL, 1) => ratio(resolution.y),
                (0x0128, Kind::SHORT, 1) => order.bytes::<2>(2).to_vec(), // inches
                _ => continue,
            };
            changes.extend(block.value(&entry).map(|range| (range, bytes)));
        }
    }
    for (range, bytes) in changes {
        exif[range].copy_from_slice(&bytes);
    }
}

/// Returns the camera's maker, which identifies some forms of maker notes.
fn make<'a>(block: &Block<'a>, first: usize) -> &'a [u8] {
    let entries = block.entries(first).unwrap_or_default();
    let value = entries.iter().find(|entry| entry.tag == tag::MAKE).and_then(|entry| block.value(entry));
    value.and_then(|range| block.bytes.get(range)).unwrap_or_default()
}

/// The bytes of an entry.
type Field = Vec<u8>;

/// The plan of what is kept, erased and changed. All positions are positions in the old block; the new block is
/// compacted at the end.
struct Plan<'a> {
    block: Block<'a>,
    policy: Policy,
    picture: Picture,
    make: &'a [u8],
    /// The bytes of the header and of each rewritten directory. No two ranges overlap, therefore there is no cycle.
    spans: Vec<Range<usize>>,
    /// The position of each directory, and its new entries. The flag states whether an entry ends in an offset.
    directories: Vec<(usize, Vec<(Field, bool)>)>,
    /// The values to copy.
    copied: Vec<Range<usize>>,
    /// The position of the maker note, and its new bytes.
    note: Option<(usize, Vec<u8>)>,
    /// The bytes to write zeros over.
    erased: Vec<Range<usize>>,
}

impl Plan<'_> {
    /// Adds the directory at `at` to the plan. Returns `None` when there is no valid directory, or no entry is left.
    fn directory(&mut self, at: usize, role: Role) -> Option<()> {
        let entries = self.block.entries(at)?;
        let span = Block::span(at, entries.len());
        if self.spans.iter().any(|other| other.start < span.end && span.start < other.end) {
            return None;
        }
        self.spans.push(span);
        let kept: Vec<(Field, bool)> = entries.iter().filter_map(|entry| self.entry(entry, role)).collect();
        if kept.is_empty() && role != Role::Main {
            return None;
        }
        self.directories.push((at, kept));
        Some(())
    }

    /// Returns the bytes of the new entry, if it is kept, and whether it ends in an offset.
    fn entry(&mut self, entry: &Entry, role: Role) -> Option<(Field, bool)> {
        let same = self.block.bytes.get(entry.at as usize..)?.get(..ENTRY)?.to_vec();
        match self.action(entry.tag, entry.kind, role) {
            Action::Drop => None,
            Action::Erase => {
                self.erase(entry);
                None
            }
            Action::Follow(role) => {
                self.directory(self.block.pointer(entry)?, role)?;
                Some((same, true))
            }
            Action::Set(value) => Some((self.number(entry, value), false)),
            Action::Note => Some((self.maker_note(entry, same)?, true)),
            Action::Keep => {
                let value = self.block.value(entry)?;
                let beside = value.start != Block::field(entry);
                if beside {
                    self.copied.push(value);
                }
                Some((same, beside))
            }
        }
    }

    fn action(&self, tag: u16, kind: Kind, role: Role) -> Action {
        let location = self.policy == Policy::WithoutLocation;
        match (tag, role) {
            (0x0112, Role::Main) => Action::Set(self.picture.orientation.exif().into()),
            (0x0100, Role::Main) | (0xA002, Role::Exif) | (0x1001, Role::Interop) => {
                Action::Set(self.picture.size.width)
            }
            (0x0101, Role::Main) | (0xA003, Role::Exif) | (0x1002, Role::Interop) => {
                Action::Set(self.picture.size.height)
            }
            (tag::EXIF_IFD, Role::Main) => Action::Follow(Role::Exif),
            (tag::INTEROPERABILITY_IFD, Role::Exif) => Action::Follow(Role::Interop),
            (tag::GPS_IFD, Role::Main) if !location => Action::Follow(Role::Gps),
            (tag::GPS_IFD, _) => Action::Erase,
            (tag::MAKER_NOTE, Role::Exif) => Action::Note,
            (tag::EXIF_IFD | tag::INTEROPERABILITY_IFD | tag::MAKER_NOTE, _) => Action::Drop,
            (COLOR_SPACE, Role::Exif) if self.picture.is_converted => Action::Set(names::SRGB),
            (INTEROPERABILITY_INDEX, Role::Interop) if self.picture.is_converted => Action::Drop,
            _ if self.picture.is_converted && OTHER_COLORS.contains(&tag) => Action::Drop,
            _ if kind == Kind::IFD || STALE.contains(&tag) => Action::Drop,
            _ if location && PLACES.contains(&tag) => Action::Drop,
            _ => Action::Keep,
        }
    }

    /// Returns an entry of one number: a SHORT if the old entry was not a LONG and the number fits, else a LONG.
    fn number(&self, entry: &Entry, value: u32) -> Field {
        let short = u16::try_from(value).ok().filter(|_| entry.kind != Kind::LONG);
        let order = self.block.order;
        let (kind, bytes) = match short {
            Some(short) => (Kind::SHORT, order.bytes::<2>(short.into()).to_vec()),
            None => (Kind::LONG, order.bytes::<4>(value.into()).to_vec()),
        };
        self.block.layout().entry(entry.tag, kind, 1, &bytes)
    }

    /// Returns the entry of the maker note. Its count is smaller if the end of the note was removed.
    fn maker_note(&mut self, entry: &Entry, mut field: Field) -> Option<Field> {
        let range = self.block.value(entry).filter(|range| range.len() > NEXT)?;
        let note = maker::scrub(&self.block, range.clone(), self.make, self.policy)?;
        field[4..8].copy_from_slice(&self.block.order.bytes::<4>(note.len() as u64));
        self.note = Some((range.start, note));
        Some(field)
    }

    /// Plans zeros over a removed directory and over all its values.
    fn erase(&mut self, entry: &Entry) {
        let Some(at) = self.block.pointer(entry) else { return };
        let entries = self.block.entries(at).unwrap_or_default();
        self.erased.push(Block::span(at, entries.len()));
        self.erased.extend(entries.iter().filter_map(|entry| self.block.value(entry)));
    }

    /// Writes the new block: first values, then zeros over erased bytes, then directories, which nothing may overwrite.
    fn assemble(self, first: usize) -> Result<Option<Vec<u8>>, Broken> {
        if self.directories.iter().all(|(_, entries)| entries.is_empty()) {
            return Ok(None);
        }
        let bytes = self.block.bytes;
        let note = self.note.iter().map(|(at, note)| (*at..at + note.len(), note.as_slice()));
        let values = self.copied.iter().map(|range| (range.clone(), &bytes[range.clone()]));
        let pieces: Vec<(Range<usize>, &[u8])> = values.chain(note).collect();
        // Forged entries may all cover the whole block, and copying all of them would take hours.
        let total: usize = pieces.iter().map(|(range, _)| range.len()).sum();
        if total > 2 * bytes.len() {
            return Err(Broken);
        }
        let spans = self.directories.iter().map(|(at, entries)| Block::span(*at, entries.len()));
        let parts: Vec<Range<usize>> =
            pieces.iter().map(|(range, _)| range.clone()).chain(spans).chain([HEADER]).collect();

        let mut out = vec![0; bytes.len() + NEXT];
        for (range, bytes) in pieces {
            out[range].copy_from_slice(bytes);
        }
        for range in self.erased {
            let end = range.end.min(out.len());
            out[range.start.min(end)..end].fill(0);
        }
        out[HEADER].copy_from_slice(&bytes[HEADER]);
        out[FIRST..HEADER.end].copy_from_slice(&self.block.order.bytes::<4>(first as u64));
        let mut pointers = vec![FIRST];
        for (at, entries) in &self.directories {
            let fields: Vec<&Field> = entries.iter().map(|(field, _)| field).collect();
            let directory = self.block.layout().directory(&fields, 0);
            out[*at..at + directory.len()].copy_from_slice(&directory);
            let offsets = entries.iter().enumerate().filter(|(_, (_, is_offset))| *is_offset);
            pointers.extend(offsets.map(|(i, _)| at + 2 + ENTRY * i + 8));
        }
        let pinned = self.note.map_or(0, |(at, _)| at);
        Ok(Some(compact(&self.block, &out, parts, pinned, &pointers)))
    }
}
