//! Quantisation and Huffman tables from their segments (T.81 B.2.4), checked, and the default tables of files without
//! them.

use crate::error::Cause;
use crate::marker::code;

/// A Huffman table: the number of codes of each length 1 to 16, and their symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Huffman {
    pub(super) counts: [u8; 16],
    pub(super) symbols: Vec<u8>,
}

/// The four tables of each kind.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Quantisation steps in zigzag order.
    pub(crate) quantization: [Option<[u16; 64]>; 4],
    pub(super) dc: [Option<Huffman>; 4],
    pub(super) ac: [Option<Huffman>; 4],
    pub(super) conditioning: Conditioning,
}

/// How arithmetic codes depend on what was decoded (T.81 F.1.4.4): for each table the bounds of small differences of
/// first coefficients, and the last one of the low other coefficients.
#[derive(Clone, Debug)]
pub(super) struct Conditioning {
    pub(super) dc: [(u8, u8); 16],
    pub(super) ac: [u8; 16],
}

impl Tables {
    /// Creates tables without quantisation, with T.81's typical Huffman tables as numbers 0 and 1, which Motion-JPEG
    /// assumes and libjpeg-turbo accepts.
    pub(crate) fn new() -> Self {
        let table = |counts: [u8; 16], symbols: &[u8]| Some(Huffman { counts, symbols: symbols.to_vec() });
        Self {
            quantization: [None; 4],
            dc: [table(DC_LUMA, &DC_SYMBOLS), table(DC_CHROMA, &DC_SYMBOLS), None, None],
            ac: [table(AC_LUMA, &AC_LUMA_SYMBOLS), table(AC_CHROMA, &AC_CHROMA_SYMBOLS), None, None],
            conditioning: Conditioning { dc: [(0, 1); 16], ac: [5; 16] },
        }
    }

    /// Reads the payload of a DHT, a DQT or a DAC segment.
    ///
    /// # Errors
    /// The defect of the segment.
    pub(crate) fn define(&mut self, marker: u8, payload: &[u8]) -> Result<(), Cause> {
        match marker {
            code::DHT => self.define_huffman(payload),
            code::DAC => self.define_conditioning(payload),
            _ => self.define_quantization(payload),
        }
    }

    /// Reads a DAC segment's payload (B.2.4.3).
    fn define_conditioning(&mut self, payload: &[u8]) -> Result<(), Cause> {
        const RANGE: Cause = Cause::Range("an arithmetic conditioning");
        for &[place, value] in payload.as_chunks().0 {
            let table = usize::from(place & 15);
            match place >> 4 {
                0 if value & 15 <= value >> 4 => self.conditioning.dc[table] = (value & 15, value >> 4),
                1 => self.conditioning.ac[table] = value,
                _ => return Err(RANGE),
            }
        }
        if payload.len().is_multiple_of(2) { Ok(()) } else { Err(Cause::Segment("arithmetic conditioning")) }
    }

    /// Reads a DQT segment's payload (B.2.4.1).
    fn define_quantization(&mut self, mut rest: &[u8]) -> Result<(), Cause> {
        while let Some((&head, after)) = rest.split_first() {
            let wide = usize::from(head >> 4 != 0);
            let Some((steps, after)) = after.split_at_checked(64 << wide) else {
                return Err(Cause::Segment("quantisation table"));
            };
            let mut table = [0; 64];
            for (i, step) in table.iter_mut().enumerate() {
                *step = if wide == 1 { u16::from_be_bytes([steps[2 * i], steps[2 * i + 1]]) } else { steps[i].into() };
            }
            let place = self.quantization.get_mut(usize::from(head & 15));
            *place.ok_or(Cause::Range("a quantisation table's place"))? = Some(table);
            rest = after;
        }
        Ok(())
    }

    /// Reads a DHT segment's payload (B.2.4.2).
    fn define_huffman(&mut self, mut rest: &[u8]) -> Result<(), Cause> {
        while !rest.is_empty() {
            let Some((&[head, ref counts @ ..], after)) = rest.split_first_chunk::<17>() else {
                return Err(Cause::Segment("Huffman table"));
            };
            let total = counts.iter().map(|&n| usize::from(n)).sum::<usize>();
            if total > 256 || !is_prefix_code(counts) {
                return Err(Cause::Range("a Huffman table's code lengths"));
            }
            let Some((symbols, after)) = after.split_at_checked(total) else {
                return Err(Cause::Segment("Huffman table"));
            };
            let places = match head >> 4 {
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return Err(Cause::Range("a Huffman table's class")),
            };
            let place = places.get_mut(usize::from(head & 15)).ok_or(Cause::Range("a Huffman table's place"))?;
            *place = Some(Huffman { counts: *counts, symbols: symbols.to_vec() });
            rest = after;
        }
        Ok(())
    }
}

/// Whether there are enough codes of each length after the shorter ones are assigned (C.2, Kraft's inequality).
fn is_prefix_code(counts: &[u8; 16]) -> bool {
    let left = counts.iter().try_fold(1_u32, |free, &count| (free * 2).checked_sub(count.into()));
    left.is_some()
}

// T.81 tables K.3 to K.6.
const DC_LUMA: [u8; 16] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_CHROMA: [u8; 16] = [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0];
const DC_SYMBOLS: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const AC_LUMA: [u8; 16] = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D];
const AC_CHROMA: [u8; 16] = [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77];
#[rustfmt::skip]
const AC_LUMA_SYMBOLS: [u8; 162] = [
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
    0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
    0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
    0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
    0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
    0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
    0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
    0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
];
#[rustfmt::skip]
const AC_CHROMA_SYMBOLS: [u8; 162] = [
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
    0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
    0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
    0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
    0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
    0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
    0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
    0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
    0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_tables_are_refused() {
        let counts = |one: u8, two: u8| [&[0x00, one, two], &[0; 14][..]].concat();
        let huffman: [(Vec<u8>, bool); 7] = [
            ([&counts(1, 1)[..], &[5, 6]].concat(), true),
            ([&counts(2, 0)[..], &[5, 6]].concat(), true),
            ([&counts(2, 1)[..], &[5, 6, 7]].concat(), false),
            ([&counts(3, 0)[..], &[5, 6, 7]].concat(), false),
            (counts(1, 0), false),
            ([&[0x24], &[0; 16][..]].concat(), false),
            (vec![0; 9], false),
        ];
        for (payload, sound) in huffman {
            assert_eq!(Tables::new().define_huffman(&payload).is_ok(), sound, "{payload:?}");
        }
        for (payload, sound) in
            [(vec![0; 65], true), (vec![4; 65], false), (vec![0; 64], false), (vec![0x10; 65], false)]
        {
            assert_eq!(Tables::new().define_quantization(&payload).is_ok(), sound, "{}", payload.len());
        }
    }
}
