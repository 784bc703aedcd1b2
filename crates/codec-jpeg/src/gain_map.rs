//! Gain maps: a second JPEG behind the picture. Its position is in the list of the file's pictures (CIPA DC-007). How
//! it is applied is in its own segments, in the form of Adobe's and Android's specifications (XMP), of ISO 21496-1, or
//! both.

use ifd::{Block, Builder, Kind, Order, Value};
use raster::{Budget, ByteSink, ByteSource, Error, GainMap, Result, Spliced, StoredGainMap};

use crate::decode::read_head;
use crate::marker::{code, write_segment};
use crate::segments::{GAIN_MAP, MULTI_PICTURE, XMP, with_description};

/// Tags of the list of pictures (CIPA DC-007 §5.2.3).
const VERSION: u16 = 0xB000;
const PICTURE_COUNT: u16 = 0xB001;
const PICTURES: u16 = 0xB002;

/// The bytes of an entry for a picture: attributes, length, offset, and the numbers of two other pictures.
const ENTRY: usize = 16;

/// The attributes of the picture that is shown: a primary picture, a JPEG (§5.2.3.3.1).
const PRIMARY: u32 = 0x03_0000;

/// The largest number of pictures that are examined.
const MOST_PICTURES: usize = 16;

/// The data of ISO 21496-1 in the picture itself: the versions alone, behind the end of the name.
const ISO_VERSIONS: [u8; 5] = [0; 5];

/// The length of JFIF's segment with its marker.
const JFIF: usize = 18;

/// A packet without properties.
const EMPTY_XMP: &str = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"></rdf:RDF></x:xmpmeta>";

/// Finds the gain map of a JPEG. Returns `None` when there is none, or when it has no readable header.
///
/// # Errors
/// `Malformed` when the JPEG itself has no valid header, `Limit` when the budget is too small, `Io`.
pub fn find_gain_map(source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let head = read_head(source)?;
    let Some(list) = head.metadata.pictures().filter(|_| head.metadata.has_gain_map()) else { return Ok(None) };
    let mut bytes = budget.filled(list.len as u64, 0_u8)?;
    let filled = source.read_full_at(list.offset, &mut bytes)?;
    for [len, offset] in pictures(&bytes[..filled]) {
        let at = list.offset + offset;
        let picture = Spliced::new(Vec::new(), source, at, len);
        let head = match read_head(&picture) {
            Err(error @ Error::Io(_)) => return Err(error),
            Err(_) => continue,
            Ok(head) => head,
        };
        let [xmp, iso] = head.metadata.gain_map(&picture, budget)?;
        if xmp.is_some() || iso.is_some() {
            return Ok(Some(StoredGainMap { at, len: picture.byte_len(), xmp, iso }));
        }
    }
    Ok(None)
}

/// Returns the lengths and the offsets of the pictures behind the first one.
fn pictures(list: &[u8]) -> Vec<[u64; 2]> {
    let entries = || {
        let (block, first) = Block::open(list, 0)?;
        let entries = block.entries(first)?;
        let entry = entries.iter().find(|entry| (entry.tag, entry.kind) == (PICTURES, Kind::UNDEFINED))?;
        let values = block.value(entry)?;
        let pictures = values.step_by(ENTRY).take(MOST_PICTURES);
        Some(pictures.filter_map(|at| Some([block.u32_at(at + 4)?.into(), block.u32_at(at + 8)?.into()])).collect())
    };
    let mut found: Vec<[u64; 2]> = entries().unwrap_or_default();
    found.retain(|&[len, offset]| len > 0 && offset > 0);
    found
}

/// Returns the XMP packet of a picture with this gain map: `xmp` and the directory of the file's parts (Android, Ultra
/// HDR 1.1). Other forms of gain maps are not announced there.
pub(crate) fn announced(xmp: Option<&[u8]>, map: &GainMap) -> Option<Vec<u8>> {
    map.xmp.as_ref()?;
    let item = |semantic: &str, length: &str| {
        format!(
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"{semantic}\" \
             Item:Mime=\"image/jpeg\"{length}/></rdf:li>"
        )
    };
    let items = [item("Primary", ""), item("GainMap", &format!(" Item:Length=\"{}\"", stream_len(map)))].concat();
    let directory = format!(
        "<rdf:Description rdf:about=\"\" xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" \
         xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" \
         xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\"><Container:Directory>\
         <rdf:Seq>{items}</rdf:Seq></Container:Directory></rdf:Description>"
    );
    with_description(xmp.unwrap_or(EMPTY_XMP.as_bytes()), &directory)
}

/// The gain map of a file that is being written.
pub(crate) struct Pending {
    /// The offset of the list of pictures.
    list_at: u64,
    map: std::rc::Rc<GainMap>,
}

impl Pending {
    /// Writes the segments of the picture that announce the map. The list of pictures gets its numbers in `finish`.
    ///
    /// # Errors
    /// `Io` when the sink fails.
    pub(crate) fn begin(sink: &mut dyn ByteSink, map: std::rc::Rc<GainMap>) -> Result<Self> {
        if map.iso.is_some() {
            write_segment(sink, code::APP2, &[GAIN_MAP, &ISO_VERSIONS])?;
        }
        let list_at = sink.reread()?.byte_len() + 4 + MULTI_PICTURE.len() as u64;
        write_segment(sink, code::APP2, &[MULTI_PICTURE, &list([0, 0], 0)?])?;
        Ok(Self { list_at, map })
    }

    /// Appends the map behind the end of the picture.
    ///
    /// # Errors
    /// `Io` when the sink fails.
    pub(crate) fn finish(self, sink: &mut dyn ByteSink) -> Result<()> {
        let Self { list_at, map } = self;
        let at = sink.reread()?.byte_len();
        let rest = stream(&map);
        sink.write(&map.jpeg[..rest])?;
        for (code, name, data) in segments(&map) {
            write_segment(sink, code, &[name, data])?;
        }
        sink.write(&map.jpeg[rest..])?;
        let list = list([at, stream_len(&map) as u64], at - list_at)?;
        sink.patch(list_at, &list)
    }
}

/// Returns the position in the map's JPEG of the segments that say how it is applied: behind those that must be first.
fn stream(map: &GainMap) -> usize {
    let has_jfif = map.jpeg.get(2..4) == Some(&[0xFF, code::APP0]) && map.jpeg.len() >= 2 + JFIF;
    if has_jfif { 2 + JFIF } else { 2 }
}

/// Returns the segments that say how the map is applied: marker code, name, data.
fn segments(map: &GainMap) -> impl Iterator<Item = (u8, &'static [u8], &[u8])> {
    let xmp = map.xmp.as_deref().map(|xmp| (code::APP1, XMP, xmp));
    let iso = map.iso.as_deref().map(|iso| (code::APP2, GAIN_MAP, iso));
    xmp.into_iter().chain(iso)
}

/// Returns the number of bytes of the map in the file.
fn stream_len(map: &GainMap) -> usize {
    map.jpeg.len() + segments(map).map(|(_, name, data)| 4 + name.len() + data.len()).sum::<usize>()
}

/// Returns the list of a picture and its gain map, a TIFF structure: `lengths` of both, and the offset of the map.
fn list(lengths: [u64; 2], offset: u64) -> Result<Vec<u8>> {
    let number = |number: u64| u32::try_from(number).unwrap_or(0).to_be_bytes();
    let entry = |attributes: u32, len: u64, offset: u64| {
        [attributes.to_be_bytes(), number(len), number(offset), [0; 4]].concat()
    };
    let mut list = Builder::new(Order::Big);
    list.push(VERSION, Kind::UNDEFINED, Value::Bytes(b"0100".to_vec()));
    list.long(PICTURE_COUNT, 2);
    let entries = [entry(PRIMARY, lengths[0], 0), entry(0, lengths[1], offset)].concat();
    list.push(PICTURES, Kind::UNDEFINED, Value::Bytes(entries));
    list.into_block()
}
