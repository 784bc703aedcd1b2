//! The fields of a box in memory: big-endian numbers, and boxes in boxes (ISO/IEC 14496-12 §4.2).

use crate::Cause;

/// The four letters of a box, an item, a reference or a brand.
pub type FourCc = [u8; 4];

/// The fields that were not read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Returns the next `len` bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'a [u8], Cause> {
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or(Cause::Ends)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Returns the next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Cause> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Cause::Ends)?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// Returns a number of `len` bytes, at most 8; of none, 0.
    pub(crate) fn number(&mut self, len: usize) -> Result<u64, Cause> {
        Ok(self.bytes(len)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Cause> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Cause> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Cause> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Returns the number of an item: 2 bytes, or 4 in later versions of a box.
    pub(crate) fn id(&mut self, is_long: bool) -> Result<u32, Cause> {
        if is_long { self.u32() } else { self.u16().map(u32::from) }
    }

    /// Returns the version and the flags with which a full box begins.
    pub(crate) fn version(&mut self) -> Result<(u8, u32), Cause> {
        let [version, high, middle, low] = self.array()?;
        Ok((version, u32::from_be_bytes([0, high, middle, low])))
    }

    /// Returns the type and the fields of the next box; `None` where less than a header follows.
    pub(crate) fn next_box(&mut self) -> Result<Option<(FourCc, Self)>, Cause> {
        if self.rest.len() < 8 {
            return Ok(None);
        }
        let all = self.rest.len();
        let short = self.u32()?;
        let kind = self.array()?;
        let len = match short {
            0 => all as u64,
            1 => self.number(8)?,
            len => u64::from(len),
        };
        if kind == *b"uuid" {
            self.bytes(16)?;
        }
        let header = (all - self.rest.len()) as u64;
        let contents = len.checked_sub(header).ok_or(Cause::BoxLength)?;
        let contents = usize::try_from(contents).ok().filter(|&len| len <= self.rest.len());
        Ok(Some((kind, Self::new(self.bytes(contents.ok_or(Cause::BoxLength)?)?))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_boxes_are_short_or_long_or_reach_to_the_end() {
        let long = [&[0, 0, 0, 1][..], b"long", &17_u64.to_be_bytes(), b"c"].concat();
        let uuid = [&[0, 0, 0, 25][..], b"uuid", &[7; 16], b"d"].concat();
        let bytes = [&[0, 0, 0, 10][..], b"shrtab", &long, &uuid, &[0, 0, 0, 0], b"lastxyz"].concat();
        let mut fields = Fields::new(&bytes);
        for (kind, contents) in [(b"shrt", &b"ab"[..]), (b"long", b"c"), (b"uuid", b"d"), (b"last", b"xyz")] {
            let (found, inner) = fields.next_box().unwrap().unwrap();
            assert_eq!((&found, inner.rest), (kind, contents));
        }
        assert!(fields.next_box().unwrap().is_none());
    }

    #[test]
    fn a_box_that_is_shorter_than_its_header_or_longer_than_its_parent_is_refused() {
        for bytes in
            [&b"\0\0\0\x07free\0\0\0\0"[..], b"\0\0\0\x0dfree\0\0\0\0", b"\0\0\0\x01free\xff\xff\xff\xff\0\0\0\0"]
        {
            assert!(Fields::new(bytes).next_box().is_err());
        }
    }
}
