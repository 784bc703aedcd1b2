//! Reading and writing of blocks: a kind, a length and a body of fields.

use raster::{ByteSink, IoError, Result};

use crate::error::Cause;

/// The kind of a block, four letters.
pub(crate) type Kind = [u8; 4];

pub(crate) const HEAD: Kind = *b"HEAD";
pub(crate) const FRAME: Kind = *b"FRAM";
pub(crate) const ROW: Kind = *b"ROW ";
pub(crate) const GAIN_MAP: Kind = *b"GAIN";
pub(crate) const PALETTE: Kind = *b"PLTE";
pub(crate) const NOTE: Kind = *b"NOTE";
pub(crate) const LOST: Kind = *b"LOST";
pub(crate) const END: Kind = *b"END ";

/// The bytes of kind and length.
pub(crate) const PREFIX: usize = 8;

/// Returns the kind and length of a body as bytes.
pub(crate) fn prefix(kind: Kind, len: usize) -> Result<[u8; PREFIX]> {
    let len = u32::try_from(len).map_err(|_| IoError::Write("a block of 4 GiB".into()))?;
    let mut prefix = [0; PREFIX];
    prefix[..4].copy_from_slice(&kind);
    prefix[4..].copy_from_slice(&len.to_le_bytes());
    Ok(prefix)
}

/// Returns the kind of a block and the length of its body.
pub(crate) fn parse_prefix(prefix: [u8; PREFIX]) -> (Kind, u32) {
    let [k0, k1, k2, k3, l0, l1, l2, l3] = prefix;
    ([k0, k1, k2, k3], u32::from_le_bytes([l0, l1, l2, l3]))
}

/// Writes a block.
pub(crate) fn write(sink: &mut dyn ByteSink, kind: Kind, body: &[u8]) -> Result<()> {
    sink.write(&prefix(kind, body.len())?)?;
    sink.write(body)
}

/// A body that is being built.
#[derive(Default)]
pub(crate) struct Body(pub(crate) Vec<u8>);

impl Body {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn number(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// # Errors
    /// `Io` for a text of 4 GiB.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        let len = u32::try_from(text.len()).map_err(|_| IoError::Write("a text of 4 GiB".into()))?;
        self.number(len);
        self.bytes(text.as_bytes());
        Ok(())
    }

    /// Appends a nested block.
    ///
    /// # Errors
    /// `Io` for a body of 4 GiB.
    pub(crate) fn block(&mut self, kind: Kind, body: &[u8]) -> Result<()> {
        self.bytes(&prefix(kind, body.len())?);
        self.bytes(body);
        Ok(())
    }
}

/// A reader of the fields of a body.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'a [u8], Cause> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Cause::Short)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Cause> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Cause::Short)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Cause> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn number(&mut self) -> Result<u32, Cause> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a byte that must be 0 or 1.
    pub(crate) fn flag(&mut self) -> Result<bool, Cause> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Cause::Field("flag")),
        }
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Cause> {
        let len = self.number()? as usize;
        str::from_utf8(self.bytes(len)?).map_err(|_| Cause::Text)
    }

    /// Reads a nested block.
    pub(crate) fn block(&mut self) -> Result<(Kind, Self), Cause> {
        let (kind, len) = parse_prefix(self.array()?);
        Ok((kind, Self(self.bytes(len as usize)?)))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that the body ends here.
    pub(crate) const fn end(self) -> Result<(), Cause> {
        if self.is_empty() { Ok(()) } else { Err(Cause::Long) }
    }
}
