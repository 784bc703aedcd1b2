//! A copy of a file with other metadata: every table and every scan byte for byte, none of the other segments, and
//! nothing behind the end of the image, where phones store videos, except the gain map of the new metadata.

use std::rc::Rc;

use ifd::Block;
use raster::{ByteSink, ByteSource, Metadata, Result};

use crate::decode::{Head, Model, read_head};
use crate::encode::write_metadata;
use crate::gain_map::Pending;
use crate::icc;
use crate::marker::{MarkerReader, code, write_segment};

/// EXIF's tag for the density across.
const X_RESOLUTION: u16 = 0x011A;

/// Copies the JPEG `source` to `sink` with `metadata` instead of its own. Colours stay the same: the profile and
/// Adobe's segment are copied, and JFIF's segment is written only where the file has one, or for a density that no
/// other segment states.
///
/// # Errors
/// `Malformed` when no scan follows the header or a segment is cut, `Limit` when a part fits no segment, `Io`.
pub fn rewrite_metadata(source: &dyn ByteSource, sink: &mut dyn ByteSink, metadata: &Metadata) -> Result<()> {
    let head = read_head(source)?;
    let has_jfif = head.jfif || needs_jfif(&head, metadata);
    write_metadata(sink, &Metadata { icc: None, ..metadata.clone() }, has_jfif)?;
    let map = metadata.gain_map.as_ref().map(|map| Pending::begin(sink, Rc::clone(map))).transpose()?;
    let mut reader = MarkerReader::new(source)?;
    while let Some(marker) = reader.next()? {
        match marker.code {
            code::EOI => break,
            _ if marker.is_alone() => {}
            code::APP0 | code::APP1 | code::APP3..=code::APP13 | code::APP15 | code::COM => reader.skip()?,
            copied => {
                let payload = reader.payload()?.needed("copied")?;
                // APP2 also holds previews.
                if copied != code::APP2 || payload.starts_with(icc::NAME) {
                    write_segment(sink, copied, &[&payload])?;
                }
                if copied == code::SOS {
                    reader.entropy_coded(&mut |data| sink.write(data))?;
                }
            }
        }
    }
    sink.write(&[0xFF, code::EOI])?;
    map.map_or(Ok(()), |map| map.finish(sink))
}

/// Whether a JFIF segment is added: for a density that EXIF does not state, if the segment gives the components the
/// meaning that they have.
fn needs_jfif(head: &Head, metadata: &Metadata) -> bool {
    let states_density = |exif: &Vec<u8>| {
        let entries = Block::open(exif, 0).and_then(|(block, first)| block.entries(first));
        entries.is_some_and(|entries| entries.iter().any(|entry| entry.tag == X_RESOLUTION))
    };
    let is_stated = metadata.resolution.is_none() || metadata.exif.as_ref().is_some_and(states_density);
    !is_stated && matches!(head.model, Model::Gray | Model::YCbCr)
}
