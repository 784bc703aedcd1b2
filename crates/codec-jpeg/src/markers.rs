//! Everything a JPEG says before its first scan. Reads headers only, through a cursor; never the scan data, never the
//! whole file.
//!
//! As forgiving as libjpeg between segments (stray bytes, fill bytes, damaged segments that the picture does not need)
//! and as strict within those that it needs.

use raster::limits::check_size;
use raster::{ByteSource, Cursor, Orientation, Result, exif};

use crate::error::Cause;
use crate::frame::{FrameHead, Model};
use crate::icc::{self, Piece};
use crate::parts::Parts;
use crate::tables::Tables;

/// Stray bytes tolerated before the first scan, in all. libjpeg has no bound, so that gigabytes of noise would be read
/// to the end.
const MAX_JUNK: u64 = 1 << 20;

/// What stands before the first scan.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) frame: FrameHead,
    pub(crate) model: Model,
    /// Whether a JFIF segment is there.
    pub(crate) jfif: bool,
    pub(crate) tables: Tables,
    /// MCUs between restart markers; 0 for none.
    pub(crate) restart_interval: u16,
    pub(crate) orientation: Orientation,
    pub(crate) profile: Vec<Piece>,
    pub(crate) parts: Parts,
    /// Where the first scan's SOS marker stands.
    pub(crate) scan_offset: u64,
    /// How many components the first scan has.
    pub(crate) scan_components: u8,
}

/// Reads up to and including the first scan's header.
///
/// # Errors
/// `Malformed`, `Limit` for impossible sizes, `Io`.
pub(crate) fn scan(source: &dyn ByteSource) -> Result<Head> {
    let mut cursor = Cursor::new(source, 0);
    if (cursor.read_byte()?, cursor.read_byte()?) != (Some(0xFF), Some(0xD8)) {
        return Err(Cause::NoStart.at(0));
    }
    let mut scanner = Scanner { cursor, junk: 0, found: Found::new() };
    loop {
        let code = scanner.next_marker()?;
        // The marker's two bytes stand just behind us.
        let offset = scanner.cursor.position() - 2;
        match code {
            0x01 | 0xD0..=0xD8 => {} // TEM, RST, SOI: nothing follows
            0xD9 => return Err(Cause::NoScan.at(offset)),
            0xDA => return scanner.finish(offset),
            _ => scanner.segment(code, offset)?,
        }
    }
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
    junk: u64,
    found: Found,
}

/// What was collected so far.
struct Found {
    frame: Option<FrameHead>,
    tables: Tables,
    restart_interval: u16,
    jfif: bool,
    adobe: Option<u8>,
    orientation: Option<Orientation>,
    profile: Vec<Piece>,
    parts: Parts,
}

impl Scanner<'_> {
    /// The next marker's code. Anything before it, and 0xFF 0x00, is stray; 0xFF may be repeated (B.1.1.2).
    fn next_marker(&mut self) -> Result<u8> {
        loop {
            let window = self.cursor.peek()?;
            if window.is_empty() {
                return Err(Cause::NoScan.at(self.cursor.position()));
            }
            let stray = window.iter().position(|&byte| byte == 0xFF).unwrap_or(window.len());
            self.cursor.advance(stray);
            self.junk += stray as u64;
            let mut code = Some(0xFF);
            let mut fill = 0;
            while code == Some(0xFF) {
                code = self.cursor.read_byte()?;
                fill += 1;
            }
            self.junk += fill - 1;
            match code {
                None => return Err(Cause::NoScan.at(self.cursor.position())),
                Some(0) => self.junk += 2,
                Some(code) => return Ok(code),
            }
            if self.junk > MAX_JUNK {
                return Err(Cause::Junk.at(self.cursor.position()));
            }
        }
    }

    /// A segment's payload: the length that precedes it counts itself (B.1.1.4).
    fn payload(&mut self, which: &'static str, offset: u64) -> Result<Vec<u8>> {
        let mut length = [0; 2];
        let complete = self.cursor.read_full(&mut length)? == 2;
        let length = usize::from(u16::from_be_bytes(length));
        let mut payload = vec![0; length.saturating_sub(2)];
        if !complete || length < 2 || self.cursor.read_full(&mut payload)? < payload.len() {
            return Err(Cause::Segment(which).at(offset));
        }
        Ok(payload)
    }

    fn segment(&mut self, code: u8, offset: u64) -> Result<()> {
        let at = |cause: Cause| cause.at(offset);
        match code {
            0xC4 => {
                let payload = self.payload("Huffman table", offset)?;
                self.found.tables.define_huffman(&payload).map_err(at)
            }
            0xDB => {
                let payload = self.payload("quantisation table", offset)?;
                self.found.tables.define_quantization(&payload).map_err(at)
            }
            0xDD => {
                let payload = self.payload("restart interval", offset)?;
                let bytes = payload.try_into().map_err(|_| at(Cause::Segment("restart interval")))?;
                self.found.restart_interval = u16::from_be_bytes(bytes);
                Ok(())
            }
            0xC8 | 0xCC => self.skip(), // JPG (reserved), DAC
            0xC0..=0xCF => {
                let payload = self.payload("frame header", offset)?;
                let frame = FrameHead::parse(code, &payload).map_err(at)?;
                check_size(frame.size, crate::MAX_SIDE)?;
                match self.found.frame.replace(frame) {
                    None => Ok(()),
                    Some(_) => Err(at(Cause::Range("the number of frames"))),
                }
            }
            0xE0..=0xE2 | 0xED | 0xEE | 0xFE => self.application(code),
            _ => self.skip(),
        }
    }

    /// Passes over a segment that the picture does not need. A wrong length only makes the next marker harder to find.
    fn skip(&mut self) -> Result<()> {
        let mut length = [0; 2];
        self.cursor.read_full(&mut length)?;
        let rest = u64::from(u16::from_be_bytes(length)).saturating_sub(2);
        self.cursor.seek_to(self.cursor.position() + rest);
        Ok(())
    }

    /// APP0, 1, 2, 13, 14 and COM: JFIF, EXIF and XMP, ICC, Photoshop, Adobe, comments. Damaged ones are left out.
    fn application(&mut self, code: u8) -> Result<()> {
        let start = self.cursor.position() + 2;
        let mut length = [0; 2];
        self.cursor.read_full(&mut length)?;
        let mut payload = vec![0; usize::from(u16::from_be_bytes(length)).saturating_sub(2)];
        let there = self.cursor.read_full(&mut payload)?;
        payload.truncate(there);
        let found = &mut self.found;
        found.parts.take(code, &payload, start);
        match code {
            0xE0 => found.jfif |= payload.len() >= 14 && payload.starts_with(b"JFIF\0"),
            0xE1 if payload.starts_with(b"Exif\0\0") => {
                found.orientation = found.orientation.or_else(|| exif::orientation(&payload));
            }
            // One piece too many breaks the profile; millions of them would only fill the memory.
            0xE2 if found.profile.len() <= icc::MAX_PIECES => found.profile.extend(profile_piece(&payload, start)),
            0xEE if payload.starts_with(b"Adobe") => found.adobe = payload.get(11).copied().or(found.adobe),
            _ => {}
        }
        Ok(())
    }

    /// The first scan's header (B.2.3), and with it the end of what is read here.
    fn finish(mut self, offset: u64) -> Result<Head> {
        let payload = self.payload("scan header", offset)?;
        let found = self.found;
        let frame = found.frame.ok_or_else(|| Cause::Missing("the frame header").at(offset))?;
        let count = payload.first().copied().unwrap_or(0);
        if !(1..=4).contains(&count) || payload.len() < 4 + 2 * usize::from(count) {
            return Err(Cause::Segment("scan header").at(offset));
        }
        let named = payload[1..].chunks_exact(2).take(count.into());
        for selector in named {
            if !frame.components.iter().any(|component| component.id == selector[0]) {
                return Err(Cause::Missing("a component of the scan").at(offset));
            }
        }
        let model = frame.model(found.jfif, found.adobe);
        Ok(Head {
            frame,
            model,
            jfif: found.jfif,
            tables: found.tables,
            restart_interval: found.restart_interval,
            orientation: found.orientation.unwrap_or_default(),
            profile: found.profile,
            parts: found.parts,
            scan_offset: offset,
            scan_components: count,
        })
    }
}

impl Found {
    fn new() -> Self {
        Self {
            frame: None,
            tables: Tables::new(),
            restart_interval: 0,
            jfif: false,
            adobe: None,
            orientation: None,
            profile: Vec::new(),
            parts: Parts::default(),
        }
    }
}

fn profile_piece(payload: &[u8], start: u64) -> Option<Piece> {
    let (&[number, count], data) = payload.strip_prefix(icc::NAME)?.split_first_chunk()?;
    Some(Piece { number, count, offset: start + (payload.len() - data.len()) as u64, len: data.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Coding;
    use raster::Size;

    fn segment(code: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u16 + 2).to_be_bytes();
        [&[0xFF, code], &length[..], payload].concat()
    }

    /// A frame header of 16 × 8 pixels with one table and these component identifiers and factors.
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
        scan(&bytes)
    }

    #[test]
    fn colour_is_decided_as_libjpeg_decides_it() {
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
            (INK, vec![], Model::Cmyk { inverted: false }),
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
    fn codings_and_depths_are_told_apart() {
        for (code, precision, coding) in [
            (0xC0, 8, Some(Coding::Sequential)),
            (0xC1, 12, Some(Coding::Sequential)),
            (0xC2, 8, Some(Coding::Progressive)),
            (0xC3, 16, Some(Coding::Lossless)),
            (0xC6, 8, Some(Coding::Hierarchical)),
            (0xC9, 8, Some(Coding::Arithmetic)),
            (0xCA, 8, Some(Coding::Arithmetic)),
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
        assert!(scan_of(&[vec![0; MAX_JUNK as usize + 2], plain.concat()]).is_err(), "there is an end to patience");
    }

    #[test]
    fn profile_pieces_beyond_the_last_that_can_be_are_not_kept() {
        let piece = segment(0xE2, b"ICC_PROFILE\0\x01\xFFdata");
        for (pieces, kept) in [(1, 1), (255, 255), (256, 256), (10_000, 256)] {
            let head = scan_of(&[piece.repeat(pieces), frame(0xC0, 8, &[(1, 0x11)]), start_of_scan(1)]).unwrap();
            assert_eq!(head.profile.len(), kept);
        }
    }

    #[test]
    fn what_the_picture_needs_must_be_sound() {
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
        assert!(scan(&b"".to_vec()).is_err() && scan(&b"\x89PNG".to_vec()).is_err());
    }

    #[test]
    fn blocks_fill_whole_mcus() {
        let head = scan_of(&[frame(0xC0, 8, &[(1, 0x22), (2, 0x11), (3, 0x11)]), start_of_scan(1)]).unwrap();
        assert_eq!(head.frame.blocks(), 6, "16 × 8 pixels are one MCU of 16 × 16");
        let gray = scan_of(&[frame(0xC0, 8, &[(1, 0x22)]), start_of_scan(1)]).unwrap();
        assert_eq!(gray.frame.blocks(), 2);
    }
}
