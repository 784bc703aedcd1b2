//! Writing: the boxes around a picture that an encoder has made (ISO/IEC 23008-12 §6, §9.3).

use raster::{ByteSink, Error, Format, Result, Size};

use crate::fields::FourCc;
use crate::property::CodePoints;

/// The coded data of a picture and the configuration of their decoder.
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// The contents of the box of the configuration.
    pub configuration: &'a [u8],
    /// The data.
    pub data: &'a [u8],
}

/// A file with one picture.
#[derive(Clone, Copy, Debug)]
pub struct Still<'a> {
    /// The format, which errors name.
    pub format: Format,
    /// The major brand, then the others.
    pub brands: &'a [FourCc],
    /// The type of the picture's items.
    pub kind: FourCc,
    /// The type of the box of their configuration.
    pub configuration_kind: FourCc,
    /// The size.
    pub size: Size,
    /// The bits of a sample.
    pub depth: u8,
    /// The number of channels without alpha: 1 or 3.
    pub channels: u8,
    /// The picture.
    pub colors: Coded<'a>,
    /// Its alpha, a picture of the same size and depth.
    pub alpha: Option<Coded<'a>>,
    /// The meaning of the samples.
    pub code_points: CodePoints,
    /// The profile.
    pub icc: Option<&'a [u8]>,
    /// EXIF as a TIFF structure.
    pub exif: Option<&'a [u8]>,
    /// The XMP packet.
    pub xmp: Option<&'a [u8]>,
}

/// The URN of alpha.
const ALPHA_URN: &[u8] = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0";

/// An item: its number, its type, and its data in parts.
struct NewItem<'a> {
    id: u16,
    /// The type, and what `infe` says after the name.
    kind: (FourCc, &'static [u8]),
    parts: [&'a [u8]; 2],
}

impl NewItem<'_> {
    fn len(&self) -> u64 {
        self.parts.iter().map(|part| part.len() as u64).sum()
    }
}

impl Still<'_> {
    /// Writes the file.
    ///
    /// # Errors
    /// `Unsupported` for files of more than 4 GiB, `Io` from the sink.
    pub fn write(&self, sink: &mut dyn ByteSink) -> Result<()> {
        /// The header of a box.
        const BOX: u64 = 8;
        let items = self.items();
        let data = BOX + items.iter().map(NewItem::len).sum::<u64>();
        // Places have a fixed length, so the boxes before the data are as long with other places.
        let start = self.head(&items, 0).len() as u64 + BOX;
        if u32::try_from(start + data).is_err() {
            return Err(Error::Unsupported { format: self.format, feature: "files of more than 4 GiB" });
        }
        sink.write(&self.head(&items, start as u32))?;
        sink.write(&[&(data as u32).to_be_bytes()[..], b"mdat"].concat())?;
        items.iter().flat_map(|item| item.parts).try_for_each(|part| sink.write(part))
    }

    /// Returns the items. The picture is the first; alpha, EXIF and XMP refer to it.
    fn items(&self) -> Vec<NewItem<'_>> {
        let colors = NewItem { id: 1, kind: (self.kind, b""), parts: [self.colors.data, &[]] };
        let alpha = self.alpha.map(|alpha| NewItem { id: 2, kind: (self.kind, b""), parts: [alpha.data, &[]] });
        // EXIF begins with the distance to its TIFF structure.
        let exif = self.exif.map(|exif| NewItem { id: 3, kind: (*b"Exif", b""), parts: [&[0; 4], exif] });
        let kind = (*b"mime", &b"application/rdf+xml\0"[..]);
        let xmp = self.xmp.map(|xmp| NewItem { id: 4, kind, parts: [xmp, &[]] });
        [Some(colors), alpha, exif, xmp].into_iter().flatten().collect()
    }

    /// Returns the boxes before the data, whose first byte is at `start`.
    fn head(&self, items: &[NewItem<'_>], start: u32) -> Vec<u8> {
        let mut boxes = Boxes::default();
        boxes.add(b"ftyp", |brands| {
            brands.bytes.extend(self.brands.first().copied().unwrap_or_default());
            brands.bytes.extend([0; 4]);
            brands.bytes.extend(self.brands.as_flattened());
        });
        boxes.full(b"meta", 0, 0, |meta| {
            meta.full(b"hdlr", 0, 0, |hdlr| hdlr.bytes.extend(b"\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0"));
            meta.full(b"pitm", 0, 0, |pitm| pitm.u16s([1]));
            meta.full(b"iloc", 0, 0, |iloc| places(items, start, iloc));
            meta.full(b"iinf", 0, 0, |iinf| {
                iinf.u16s([items.len() as u16]);
                items.iter().for_each(|item| entry(item, iinf));
            });
            meta.add(b"iprp", |iprp| self.properties(iprp));
            if items.len() > 1 {
                meta.full(b"iref", 0, 0, |iref| items[1..].iter().for_each(|item| self.reference(item, iref)));
            }
        });
        boxes.bytes
    }

    /// Writes the properties and which item has which.
    fn properties(&self, iprp: &mut Boxes) {
        /// The bit of a property that a reader must understand.
        const ESSENTIAL: u8 = 0x80;
        let (mut colors, mut alpha) = (Vec::new(), Vec::new());
        iprp.add(b"ipco", |ipco| {
            let mut count = 0;
            let mut number = || {
                count += 1;
                count
            };
            ipco.full(b"ispe", 0, 0, |ispe| {
                ispe.u32s([self.size.width, self.size.height]);
            });
            let size = number();
            ipco.full(b"pixi", 0, 0, |pixi| {
                pixi.bytes.push(self.channels);
                pixi.bytes.extend((0..self.channels).map(|_| self.depth));
            });
            let depth = number();
            ipco.add(&self.configuration_kind, |av1| av1.bytes.extend(self.colors.configuration));
            colors = vec![size, depth, number() | ESSENTIAL];
            ipco.add(b"colr", |colr| self.code_points(colr));
            colors.push(number());
            if let Some(icc) = self.icc {
                ipco.add(b"colr", |colr| colr.bytes.extend([b"prof", icc].concat()));
                colors.push(number());
            }
            if let Some(coded) = self.alpha {
                ipco.full(b"pixi", 0, 0, |pixi| pixi.bytes.extend([1, self.depth]));
                let depth = number();
                ipco.add(&self.configuration_kind, |av1| av1.bytes.extend(coded.configuration));
                alpha = vec![size, depth, number() | ESSENTIAL];
                ipco.full(b"auxC", 0, 0, |aux| aux.bytes.extend(ALPHA_URN));
                alpha.push(number());
            }
        });
        iprp.full(b"ipma", 0, 0, |ipma| {
            let of_items = [(1, colors), (2, alpha)].into_iter().filter(|(_, numbers)| !numbers.is_empty());
            ipma.u32s([of_items.clone().count() as u32]);
            for (id, numbers) in of_items {
                ipma.u16s([id]);
                ipma.bytes.push(numbers.len() as u8);
                ipma.bytes.extend(numbers);
            }
        });
    }

    fn code_points(&self, colr: &mut Boxes) {
        let CodePoints { primaries, transfer, matrix, is_full_range } = self.code_points;
        colr.bytes.extend(b"nclx");
        colr.u16s([primaries, transfer, matrix]);
        colr.bytes.push(u8::from(is_full_range) << 7);
    }

    /// Writes that an item belongs to the picture.
    fn reference(&self, item: &NewItem<'_>, iref: &mut Boxes) {
        let kind = if item.kind.0 == self.kind { b"auxl" } else { b"cdsc" };
        iref.add(kind, |reference| {
            reference.u16s([item.id, 1, 1]);
        });
    }
}

/// Writes the places of items, whose data follow each other from `start`.
fn places(items: &[NewItem<'_>], start: u32, iloc: &mut Boxes) {
    // Offsets and lengths have four bytes; there are no base offsets.
    iloc.bytes.extend([0x44, 0]);
    iloc.u16s([items.len() as u16]);
    let mut at = start;
    for item in items {
        let len = item.len() as u32;
        // The data are in this file, in one extent.
        iloc.u16s([item.id, 0, 1]);
        iloc.u32s([at, len]);
        at = at.wrapping_add(len);
    }
}

/// Writes the description of an item, which has no name.
fn entry(item: &NewItem<'_>, iinf: &mut Boxes) {
    let (kind, rest) = item.kind;
    // Other items than pictures are not shown.
    let flags = u32::from(item.id > 1);
    iinf.full(b"infe", 2, flags, |infe| {
        infe.u16s([item.id, 0]);
        infe.bytes.extend([&kind[..], b"\0", rest].concat());
    });
}

/// Boxes in memory.
#[derive(Default)]
struct Boxes {
    bytes: Vec<u8>,
}

impl Boxes {
    /// Adds a box with what `write` writes.
    fn add(&mut self, kind: &FourCc, write: impl FnOnce(&mut Self)) {
        let start = self.bytes.len();
        self.u32s([0]);
        self.bytes.extend(kind);
        write(self);
        let len = (self.bytes.len() - start) as u32;
        self.bytes[start..start + 4].copy_from_slice(&len.to_be_bytes());
    }

    /// Adds a full box, which begins with its version and flags.
    fn full(&mut self, kind: &FourCc, version: u8, flags: u32, write: impl FnOnce(&mut Self)) {
        self.add(kind, |inner| {
            inner.u32s([u32::from(version) << 24 | flags]);
            write(inner);
        });
    }

    fn u16s<const N: usize>(&mut self, numbers: [u16; N]) {
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    }

    fn u32s<const N: usize>(&mut self, numbers: [u32; N]) {
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    }
}
