//! EXIF (CIPA DC-008, a TIFF structure): what goes into a picture of another size.
//!
//! Maker notes hold offsets from the block's start, in forms that are only known by trial; moving them is how programs
//! break them. So a maker note stays where it is, with all that comes before it, and only what comes behind moves up.
//! What nothing points to (a removed directory, the thumbnail, what editors left in gaps) is not copied, so it cannot be
//! left behind.

use core::ops::Range;

use raster::{Orientation, Resolution};

use crate::compact::compact;
use crate::tiff::{Block, ENTRY, Entry, IFD, LONG, RATIONAL, SHORT};
use crate::{Picture, Policy, maker};

const MAKE: u16 = 0x010F;
const EXIF_IFD: u16 = 0x8769;
const GPS_IFD: u16 = 0x8825;
const INTEROP_IFD: u16 = 0xA005;
const MAKER_NOTE: u16 = 0x927C;

/// TIFF's header: byte order, 42, and from [`FIRST`] on, where the first directory is.
const HEADER: Range<usize> = 0..8;
const FIRST: usize = 4;

/// Bytes of the offset of the next directory, which sloppy writers leave out at the block's end.
const NEXT: usize = 4;

/// What describes the source's own coding, or points to what is not carried: BitsPerSample, Compression,
/// PhotometricInterpretation, FillOrder, StripOffsets, SamplesPerPixel, RowsPerStrip, StripByteCounts,
/// PlanarConfiguration, Predictor, tiles, SubIFDs, GlobalParametersIFD, SampleFormat, JPEGTables, the old JPEG
/// fields, Kodak's and Leaf's directories, an ICC profile (carried apart).
#[rustfmt::skip]
const STALE: [u16; 26] = [
    0x0102, 0x0103, 0x0106, 0x010A, 0x0111, 0x0115, 0x0116, 0x0117, 0x011C, 0x013D, 0x0142, 0x0143, 0x0144, 0x0145,
    0x014A, 0x0190, 0x0153, 0x015B, 0x0200, 0x0201, 0x0202, 0x8290, 0x888A, 0xFE00, 0xC6F5, 0x8773,
];

/// What tells a place, or may: XMP, IPTC and Photoshop's resources (carried apart, without places), GeoTIFF's and GDAL's
/// tags, and DNG's private data, which nobody can read.
#[rustfmt::skip]
const PLACES: [u16; 13] = [
    0x02BC, 0x83BB, 0x8649, 0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xA481, 0xC634,
];

/// EXIF that is too damaged to be carried.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// Which directory an entry stands in; tags mean different things in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Main,
    Exif,
    Gps,
    Interop,
}

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Keep,
    Drop,
    /// Dropped, and its directory's bytes zeroed even where something that is kept lies over them.
    Erase,
    /// A directory in its own right.
    Follow(Role),
    /// A number that this picture has another value for.
    Set(u32),
    Note,
}

/// The block for `picture`, or nothing when nothing is left of it.
///
/// # Errors
/// [`Broken`] without a header and a first directory, or when values lie over one another as no sound writer lays them.
pub(crate) fn rewrite(exif: &[u8], policy: Policy, picture: Picture) -> Result<Option<Vec<u8>>, Broken> {
    let rewritten = rewrite_once(exif, policy, picture)?;
    match &rewritten {
        Some(block) if policy != Policy::Everything && tells_place(block, picture) => Err(Broken),
        _ => Ok(rewritten),
    }
}

/// Whether a block holds what only [`Policy::Everything`] keeps. In damaged ones, zeros over a place can uncover another.
fn tells_place(block: &[u8], picture: Picture) -> bool {
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

/// A block that says how the picture is to be turned and nothing else.
pub(crate) fn orientation_alone(orientation: Orientation) -> Vec<u8> {
    let mut block = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    block.extend([orientation.exif(), 0, 0, 0, 0, 0, 0]);
    block
}

/// How densely the picture is to be printed: XResolution and YResolution in ResolutionUnit's inches or
/// centimetres (§4.6.2).
pub(crate) fn resolution(exif: &[u8]) -> Option<Resolution> {
    let (block, first) = Block::open(exif, 0)?;
    let entries = block.entries(first)?;
    let find = |tag: u16| entries.iter().find(|entry| entry.tag == tag);
    let ratio = |entry: &Entry| -> Option<f64> {
        let at = block.value(entry).filter(|_| (entry.kind, entry.count) == (RATIONAL, 1))?.start;
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

/// The camera's maker, by which some maker notes are told apart.
fn make<'a>(block: &Block<'a>, first: usize) -> &'a [u8] {
    let entries = block.entries(first).unwrap_or_default();
    let value = entries.iter().find(|entry| entry.tag == MAKE).and_then(|entry| block.value(entry));
    value.and_then(|range| block.bytes.get(range)).unwrap_or_default()
}

/// An entry's bytes.
type Field = [u8; ENTRY];

/// What is kept, erased and changed, all in places of the old block, which are those of the new one.
struct Plan<'a> {
    block: Block<'a>,
    policy: Policy,
    picture: Picture,
    make: &'a [u8],
    /// The header and the directories that are followed. No two overlap, so that there is no cycle.
    spans: Vec<Range<usize>>,
    /// Where directories lie, and their new entries, each with whether it ends in an offset.
    directories: Vec<(usize, Vec<(Field, bool)>)>,
    /// Values to copy.
    copied: Vec<Range<usize>>,
    /// Where the maker note lies, and what it becomes.
    note: Option<(usize, Vec<u8>)>,
    erased: Vec<Range<usize>>,
}

impl Plan<'_> {
    /// Takes the directory at `at` in; nothing when it cannot be one, or has no entries left.
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

    /// The entry of the new block, if there is one, and whether it ends in an offset.
    fn entry(&mut self, entry: &Entry, role: Role) -> Option<(Field, bool)> {
        let same = *self.block.bytes.get(entry.at..)?.first_chunk()?;
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
                let beside = value.start != entry.at + 8;
                if beside {
                    self.copied.push(value);
                }
                Some((same, beside))
            }
        }
    }

    fn action(&self, tag: u16, kind: u16, role: Role) -> Action {
        let location = self.policy == Policy::WithoutLocation;
        match (tag, role) {
            (0x0112, Role::Main) => Action::Set(self.picture.orientation.exif().into()),
            (0x0100, Role::Main) | (0xA002, Role::Exif) | (0x1001, Role::Interop) => {
                Action::Set(self.picture.size.width)
            }
            (0x0101, Role::Main) | (0xA003, Role::Exif) | (0x1002, Role::Interop) => {
                Action::Set(self.picture.size.height)
            }
            (EXIF_IFD, Role::Main) => Action::Follow(Role::Exif),
            (INTEROP_IFD, Role::Exif) => Action::Follow(Role::Interop),
            (GPS_IFD, Role::Main) if !location => Action::Follow(Role::Gps),
            (GPS_IFD, _) => Action::Erase,
            (MAKER_NOTE, Role::Exif) => Action::Note,
            (EXIF_IFD | INTEROP_IFD | MAKER_NOTE, _) => Action::Drop,
            _ if kind == IFD || STALE.contains(&tag) => Action::Drop,
            _ if location && PLACES.contains(&tag) => Action::Drop,
            _ => Action::Keep,
        }
    }

    /// SHORT where the writer had chosen that and it fits.
    fn number(&self, entry: &Entry, value: u32) -> Field {
        let short = u16::try_from(value).ok().filter(|_| entry.kind != LONG);
        let mut bytes = [0; ENTRY];
        bytes[..2].copy_from_slice(&self.block.u16_bytes(entry.tag));
        bytes[2..4].copy_from_slice(&self.block.u16_bytes(if short.is_some() { SHORT } else { LONG }));
        bytes[4..8].copy_from_slice(&self.block.u32_bytes(1));
        match short {
            Some(short) => bytes[8..10].copy_from_slice(&self.block.u16_bytes(short)),
            None => bytes[8..].copy_from_slice(&self.block.u32_bytes(value)),
        }
        bytes
    }

    /// A note that lost its end gets a smaller count.
    fn maker_note(&mut self, entry: &Entry, mut field: Field) -> Option<Field> {
        let range = self.block.value(entry).filter(|range| range.len() > NEXT)?;
        let note = maker::scrub(&self.block, range.clone(), self.make, self.policy)?;
        field[4..8].copy_from_slice(&self.block.u32_bytes(note.len() as u32));
        self.note = Some((range.start, note));
        Some(field)
    }

    /// Marks a directory that is left out and all its values.
    fn erase(&mut self, entry: &Entry) {
        let Some(at) = self.block.pointer(entry) else { return };
        let entries = self.block.entries(at).unwrap_or_default();
        self.erased.push(Block::span(at, entries.len()));
        self.erased.extend(entries.iter().filter_map(|entry| self.block.value(entry)));
    }

    /// The new block: values, then zeros over what must go, then directories, which are always whole.
    fn assemble(self, first: usize) -> Result<Option<Vec<u8>>, Broken> {
        if self.directories.iter().all(|(_, entries)| entries.is_empty()) {
            return Ok(None);
        }
        let bytes = self.block.bytes;
        let note = self.note.iter().map(|(at, note)| (*at..at + note.len(), note.as_slice()));
        let values = self.copied.iter().map(|range| (range.clone(), &bytes[range.clone()]));
        let pieces: Vec<(Range<usize>, &[u8])> = values.chain(note).collect();
        // Forged entries may all claim the whole block, which would take hours to copy.
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
        out[FIRST..HEADER.end].copy_from_slice(&self.block.u32_bytes(first as u32));
        let mut pointers = vec![FIRST];
        for (at, entries) in &self.directories {
            let fields: Vec<Field> = entries.iter().map(|(field, _)| *field).collect();
            self.block.write_directory(&mut out, *at, &fields, [0; NEXT]);
            let offsets = entries.iter().enumerate().filter(|(_, (_, is_offset))| *is_offset);
            pointers.extend(offsets.map(|(i, _)| at + 2 + ENTRY * i + 8));
        }
        let pinned = self.note.map_or(0, |(at, _)| at);
        Ok(Some(compact(&self.block, &out, parts, pinned, &pointers)))
    }
}
