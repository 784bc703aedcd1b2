//! The segments before a JPEG's first scan. Entropy-coded data are not read.
//!
//! Like libjpeg, this code tolerates stray bytes, fill bytes and damaged optional segments, and is strict about the
//! segments that the image needs.

use raster::limits::check_size;
use raster::{ByteSource, Orientation, Result, Size};

use super::frame::{FrameHead, Model};
use super::metadata::MetadataParts;
use super::tables::Tables;
use crate::error::Cause;
use crate::icc::{self, Piece};
use crate::marker::{Marker, MarkerReader, Payload, code};
use crate::segments;

/// The content of the segments before the first scan.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) frame: FrameHead,
    pub(crate) model: Model,
    /// Whether a JFIF segment exists.
    pub(crate) jfif: bool,
    pub(crate) tables: Tables,
    /// The number of MCUs between restart markers; 0 for none.
    pub(crate) restart_interval: u16,
    pub(crate) orientation: Orientation,
    pub(crate) profile: Vec<Piece>,
    pub(crate) metadata: MetadataParts,
    /// The offset of the first scan's SOS marker.
    pub(crate) scan_offset: u64,
    /// The number of components in the first scan.
    pub(crate) scan_components: u8,
    /// Whether bytes between the segments were skipped.
    pub(crate) has_stray: bool,
}

/// Reads everything up to and including the first scan's header.
///
/// # Errors
/// `Malformed`, `Limit` for impossible sizes, `Io`.
pub(crate) fn read_head(source: &dyn ByteSource) -> Result<Head> {
    let mut reader = MarkerReader::new(source)?;
    let mut found = Found::default();
    loop {
        let Some(marker) = reader.next()? else { return Err(Cause::NoScan.at(source.byte_len())) };
        match marker.code {
            code::EOI => return Err(Cause::NoScan.at(marker.offset)),
            code::SOS => {
                let scan = reader.payload()?.needed("scan header")?;
                if let Some(frame) = found.frame.as_mut().filter(|frame| frame.size.height == 0) {
                    frame.size.height = height_behind_scan(&mut reader)?;
                    check_size(frame.size, crate::FORMAT.max_side)?;
                }
                let head = found.into_head(&scan, marker.offset)?;
                return Ok(Head { has_stray: reader.has_stray(), ..head });
            }
            _ if marker.is_alone() => {}
            _ if needs_segment(marker.code) => found.segment(marker, reader.payload()?)?,
            _ => reader.skip()?,
        }
    }
}

/// Returns the height from the DNL segment (B.2.5) behind the data of the first scan, or 0 if there is none.
fn height_behind_scan(reader: &mut MarkerReader<'_>) -> Result<u32> {
    reader.entropy_coded(&mut |_| Ok(()))?;
    let Some(marker) = reader.next()?.filter(|marker| marker.code == code::DNL) else { return Ok(0) };
    let height = reader.payload()?.needed("number of lines")?;
    let height = height.try_into().map_err(|_| Cause::Segment("number of lines").at(marker.offset))?;
    Ok(u16::from_be_bytes(height).into())
}

/// Whether a segment contains data that the image or its metadata need.
const fn needs_segment(code: u8) -> bool {
    match code {
        code::JPG => false,
        code::SOF0..=code::SOF15 | code::DQT | code::DRI => true,
        code::APP0..=code::APP2 | code::APP13 | code::APP14 | code::COM => true,
        _ => false,
    }
}

/// The data found so far.
struct Found {
    frame: Option<FrameHead>,
    tables: Tables,
    restart_interval: u16,
    jfif: bool,
    /// The colour transform stated in Adobe's segment.
    adobe: Option<u8>,
    orientation: Option<Orientation>,
    profile: Vec<Piece>,
    metadata: MetadataParts,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            frame: None,
            tables: Tables::new(),
            restart_interval: 0,
            jfif: false,
            adobe: None,
            orientation: None,
            profile: Vec::new(),
            metadata: MetadataParts::default(),
        }
    }
}

impl Found {
    fn segment(&mut self, marker: Marker, payload: Payload) -> Result<()> {
        let at = |cause: Cause| cause.at(marker.offset);
        match marker.code {
            code::DHT | code::DQT | code::DAC => self.tables.define(marker.code, &payload.needed("table")?).map_err(at),
            code::DRI => {
                self.restart_interval = payload.restart_interval()?;
                Ok(())
            }
            code::SOF0..=code::SOF15 => {
                let frame = FrameHead::parse(marker.code, &payload.needed("frame header")?).map_err(at)?;
                // A height of 0 stands behind the first scan.
                check_size(Size { height: frame.size.height.max(1), ..frame.size }, crate::FORMAT.max_side)?;
                match self.frame.replace(frame) {
                    None => Ok(()),
                    Some(_) => Err(at(Cause::Range("the number of frames"))),
                }
            }
            _ => {
                self.application(marker.code, &payload);
                Ok(())
            }
        }
    }

    /// Reads APP0, 1, 2, 13, 14 and COM: JFIF, EXIF and XMP, ICC and the mark of a gain map, Photoshop, Adobe,
    /// comments. The image does not need them, so damaged ones are left out.
    fn application(&mut self, code: u8, payload: &Payload) {
        let bytes = &payload.bytes[..];
        self.metadata.take(code, bytes, payload.offset);
        match code {
            code::APP0 => self.jfif |= bytes.len() >= 14 && bytes.starts_with(b"JFIF\0"),
            code::APP1 if bytes.starts_with(segments::EXIF) => {
                self.orientation = self.orientation.or_else(|| ifd::orientation(bytes));
            }
            // One piece too many invalidates the profile; more pieces would only take memory.
            code::APP2 if self.profile.len() <= icc::MAX_PIECES => {
                self.profile.extend(Piece::parse(bytes, payload.offset));
            }
            code::APP14 if bytes.starts_with(b"Adobe") => self.adobe = bytes.get(11).copied().or(self.adobe),
            _ => {}
        }
    }

    /// Adds the first scan's header (B.2.3), whose marker is at `offset`.
    fn into_head(self, scan: &[u8], offset: u64) -> Result<Head> {
        let frame = self.frame.ok_or_else(|| Cause::Missing("the frame header").at(offset))?;
        let count = scan.first().copied().unwrap_or(0);
        if !(1..=4).contains(&count) || scan.len() < 4 + 2 * usize::from(count) {
            return Err(Cause::Segment("scan header").at(offset));
        }
        let named = scan[1..].chunks_exact(2).take(count.into());
        for selector in named {
            if !frame.components.iter().any(|component| component.id == selector[0]) {
                return Err(Cause::Missing("a component of the scan").at(offset));
            }
        }
        let model = frame.model(self.jfif, self.adobe);
        Ok(Head {
            frame,
            model,
            jfif: self.jfif,
            tables: self.tables,
            restart_interval: self.restart_interval,
            orientation: self.orientation.unwrap_or_default(),
            profile: self.profile,
            metadata: self.metadata,
            scan_offset: offset,
            scan_components: count,
            has_stray: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::frame::Coding;
    use crate::marker::MAX_STRAY;

    fn segment(code: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u16 + 2).to_be_bytes();
        [&[0xFF, code], &length[..], payload].concat()
    }

    /// Returns a frame header of 16 × 8 pixels with one table and these component identifiers and factors.
    fn frame(code: u8, precision: u8, components: &[(u8, u8)]) -> Vec<u8> {
        let mut payload = vec![precision, 0, 8, 0, 16, components.len() as u8];
        payload.extend(components.iter().flat_map(|&(id, factors)| [id, factors, 0]));
        segment(code, &payload)
    }

    fn start_of_scan(id: u8) -> Vec<u8> {
        segment(0xDA, &[1, id, 0, 0, 63, 0])
    }

    fn adobe(transform: u8) -> Vec<u8> {
        segment(0xEE, &[b"Adobe\0\x64\0\0\0\0", &[transform][..]].concat())
    }

    fn jfif() -> Vec<u8> {
        segment(0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0")
    }

    fn scan_of(parts: &[Vec<u8>]) -> Result<Head> {
        let bytes = [&[0xFF, 0xD8][..], &parts.concat()].concat();
        read_head(&bytes)
    }

    #[test]
    fn the_colour_model_is_that_of_libjpeg() {
        const YCC: &[(u8, u8)] = &[(1, 0x22), (2, 0x11), (3, 0x11)];
        const RGB: &[(u8, u8)] = &[(b'R', 0x11), (b'G', 0x11), (b'B', 0x11)];
        const INK: &[(u8, u8)] = &[(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)];
        type Case<'a> = (&'a [(u8, u8)], Vec<u8>, Model);
        let table: [Case<'_>; 11] = [
            (&[(1, 0x22)], vec![], Model::Gray),
            (YCC, vec![], Model::YCbCr),
            (YCC, adobe(0), Model::Rgb),
            (YCC, adobe(1), Model::YCbCr),
            (YCC, [adobe(0), jfif()].concat(), Model::YCbCr),
            (RGB, vec![], Model::Rgb),
            (RGB, jfif(), Model::YCbCr),
            (INK, vec![], Model::Cmyk { inverted: true }),
            (INK, adobe(0), Model::Cmyk { inverted: true }),
            (INK, adobe(2), Model::Ycck),
            (&[(1, 0x11), (2, 0x11)], vec![], Model::Other),
        ];
        for (components, marker, model) in table {
            let head = scan_of(&[marker, frame(0xC0, 8, components), start_of_scan(components[0].0)]).unwrap();
            assert_eq!(head.model, model, "{components:?}");
        }
    }

    #[test]
    fn codings_and_depths_are_distinguished() {
        for (code, precision, coding) in [
            (0xC0, 8, Some(Coding::Sequential)),
            (0xC1, 12, Some(Coding::Sequential)),
            (0xC2, 8, Some(Coding::Progressive)),
            (0xC3, 16, Some(Coding::Lossless)),
            (0xC6, 8, Some(Coding::Hierarchical)),
            (0xC9, 8, Some(Coding::Sequential)),
            (0xCA, 8, Some(Coding::Progressive)),
            (0xCB, 2, Some(Coding::Lossless)),
            (0xC0, 159, None),
            (0xC0, 7, None),
        ] {
            let head = scan_of(&[frame(code, precision, &[(7, 0x11)]), start_of_scan(7)]);
            assert_eq!(head.ok().map(|head| head.frame.coding), coding, "{code:x} {precision}");
        }
    }

    #[test]
    fn stray_and_fill_bytes_and_damaged_extras_do_no_harm() {
        let plain = [frame(0xC0, 8, &[(1, 0x11)]), start_of_scan(1)];
        for junk in [
            &b""[..],
            b"noise",
            b"\xFF\xFF\xFF",
            b"\xFF\0\0",
            b"\xFF\x01",
            b"\xFF\xFE\0\0text",
            b"\xFF\xE1\0\x08Exif\0\0",
            b"\xFF\xEE\0\x04Ad",
        ] {
            let head = scan_of(&[junk.to_vec(), plain.concat()]).unwrap();
            assert_eq!((head.frame.size, head.scan_components), (Size::new(16, 8), 1), "{junk:?}");
            assert_eq!(head.scan_offset, 2 + junk.len() as u64 + plain[0].len() as u64);
        }
        assert!(scan_of(&[vec![0; MAX_STRAY as usize + 2], plain.concat()]).is_err(), "too many stray bytes");
    }

    #[test]
    fn profile_pieces_beyond_the_largest_number_are_not_kept() {
        let piece = segment(0xE2, b"ICC_PROFILE\0\x01\xFFdata");
        for (pieces, kept) in [(1, 1), (255, 255), (256, 256), (10_000, 256)] {
            let head = scan_of(&[piece.repeat(pieces), frame(0xC0, 8, &[(1, 0x11)]), start_of_scan(1)]).unwrap();
            assert_eq!(head.profile.len(), kept);
        }
    }

    #[test]
    fn damaged_required_segments_are_refused() {
        let sof = frame(0xC0, 8, &[(1, 0x11)]);
        for parts in [
            vec![],
            vec![sof.clone()],
            vec![start_of_scan(1)],
            vec![sof.clone(), start_of_scan(2)],
            vec![sof.clone(), sof.clone(), start_of_scan(1)],
            vec![sof.clone(), vec![0xFF, 0xD9], start_of_scan(1)],
            vec![sof.clone(), segment(0xDD, &[1]), start_of_scan(1)],
            vec![sof.clone(), segment(0xDA, &[])],
            vec![sof.clone(), segment(0xDA, &[5, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 63, 0])],
            vec![frame(0xC0, 8, &[(1, 0x11), (2, 0x51)]), start_of_scan(1)],
            vec![frame(0xC0, 8, &[]), start_of_scan(1)],
        ] {
            assert!(scan_of(&parts).is_err(), "{parts:02x?}");
        }
        assert!(scan_of(&[sof, start_of_scan(1)]).is_ok());
        assert!(read_head(&b"".to_vec()).is_err() && read_head(&b"\x89PNG".to_vec()).is_err());
    }

    #[test]
    fn blocks_fill_whole_mcus() {
        let head = scan_of(&[frame(0xC0, 8, &[(1, 0x22), (2, 0x11), (3, 0x11)]), start_of_scan(1)]).unwrap();
        assert_eq!(head.frame.blocks(), 6, "16 × 8 pixels are one MCU of 16 × 16");
        let gray = scan_of(&[frame(0xC0, 8, &[(1, 0x22)]), start_of_scan(1)]).unwrap();
        assert_eq!(gray.frame.blocks(), 2);
    }
}
