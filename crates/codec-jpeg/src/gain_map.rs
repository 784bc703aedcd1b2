//! Gain maps, written: a second JPEG behind the picture. Its position is in the list of the file's pictures
//! (CIPA DC-007). How it is applied is in its own segments, in the form of Adobe's and Android's specifications (XMP),
//! of ISO 21496-1, or both, or in Apple's form (XMP, and notes in the picture's EXIF).

use ifd::{Builder, Kind, Order, Value};
use raster::xmp::EMPTY;
use raster::{ByteSink, GainMap, Result};

use crate::marker::{code, write_segment};
use crate::segments::{APPLE_GAIN_MAP, GAIN_MAP, MULTI_PICTURE, PICTURES, XMP, contains, with_description};

/// Tags of the list of pictures (CIPA DC-007 §5.2.3).
const VERSION: u16 = 0xB000;
const PICTURE_COUNT: u16 = 0xB001;

/// The attributes of the picture that is shown: a primary picture, a JPEG (§5.2.3.3.1).
const PRIMARY: u32 = 0x03_0000;

/// The data of ISO 21496-1 in the picture itself: the versions alone, behind the end of the name.
const ISO_VERSIONS: [u8; 5] = [0; 5];

/// The length of JFIF's segment with its marker.
const JFIF: usize = 18;

/// Returns the XMP packet of a picture with this gain map: `xmp` and the directory of the file's parts (Android, Ultra
/// HDR 1.1). Other forms of gain maps are not announced there.
pub(crate) fn announced(xmp: Option<&[u8]>, map: &GainMap) -> Option<Vec<u8>> {
    map.xmp.as_ref().filter(|xmp| !contains(xmp, APPLE_GAIN_MAP))?;
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
    with_description(xmp.unwrap_or(EMPTY.as_bytes()), &directory)
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
