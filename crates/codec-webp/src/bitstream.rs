//! The two bitstreams of WebP: VP8 (RFC 6386), which is lossy and has its alpha in a separate chunk, and VP8L (RFC 9649
//! §3), which is lossless.

use raster::{Budget, ByteSource, PixelFormat, Result, Size};

use crate::alpha::Alpha;
use crate::chunk::Chunk;
use crate::error::Cause;
use crate::lossless;
use crate::lossy;

/// The longest side: VP8L stores a side minus one in 14 bits, VP8 a side in 14 bits.
pub(crate) const MAX_SIDE: u32 = 16_383;

/// One picture as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bitstream {
    /// `VP8 ` or `VP8L`.
    data: Chunk,
    /// The chunk with the alpha of a lossy picture.
    alpha: Option<Chunk>,
    is_lossy: bool,
    pub(crate) size: Size,
    pub(crate) has_alpha: bool,
}

impl Bitstream {
    /// The bytes in the longest header of a bitstream.
    pub(crate) const HEAD_LEN: usize = 10;
    /// The bytes in the header of a `VP8L` chunk.
    const LOSSLESS_HEAD_LEN: usize = 5;

    /// Reads the header of a `VP8 ` chunk from its first bytes (RFC 6386 §9.1); `alpha` is the chunk with its alpha, if
    /// any.
    pub(crate) fn lossy(data: Chunk, head: [u8; Self::HEAD_LEN], alpha: Option<Chunk>) -> Result<Self> {
        let [tag, _, _, start @ .., a, b, c, d] = head;
        let broken = |what| Err(Cause::Bitstream(what).at(data.at));
        if tag & 1 != 0 {
            return broken("no key frame");
        }
        if start != [0x9D, 0x01, 0x2A] {
            return broken("a wrong start code");
        }
        // The two high bits of each side state a scaling that decoders ignore.
        let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
        let size = Size::new(side(a, b), side(c, d));
        Ok(Self { data, alpha, is_lossy: true, size, has_alpha: alpha.is_some() })
    }

    /// Reads the header of a `VP8L` chunk from its first bytes (RFC 9649 §3.4).
    pub(crate) fn lossless(data: Chunk, head: [u8; Self::LOSSLESS_HEAD_LEN]) -> Result<Self> {
        let [signature, bits @ ..] = head;
        let bits = u32::from_le_bytes(bits);
        if signature != 0x2F || bits >> 29 != 0 {
            return Err(Cause::Bitstream("a wrong signature or version").at(data.at));
        }
        let side = |bits: u32| (bits & 0x3FFF) + 1;
        let size = Size::new(side(bits), side(bits >> 14));
        Ok(Self { data, alpha: None, is_lossy: false, size, has_alpha: bits >> 28 & 1 == 1 })
    }

    /// Returns the offset of the data.
    pub(crate) const fn offset(&self) -> u64 {
        self.data.at
    }

    /// Returns the stated offset behind the data.
    pub(crate) const fn end(&self) -> u64 {
        self.data.at + self.data.len as u64
    }

    /// Returns the pixel format of [`Bitstream::rows`].
    pub(crate) const fn pixels(&self) -> PixelFormat {
        if self.has_alpha { PixelFormat::RGBA8 } else { PixelFormat::RGB8 }
    }

    /// Returns the bytes that [`Bitstream::rows`] usually holds at once.
    pub(crate) fn memory(&self) -> u64 {
        if self.is_lossy {
            lossy::Decoder::memory(self.size) + self.alpha.map_or(0, |_| lossless::Decoder::memory(self.size))
        } else {
            lossless::Decoder::memory(self.size)
        }
    }

    /// Begins to decode.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Limit` when the budget is too small, `Io`.
    pub(crate) fn rows<'a>(&self, source: &'a dyn ByteSource, budget: &Budget) -> Result<Rows<'a>> {
        let Self { data, size, has_alpha, .. } = *self;
        if self.is_lossy {
            let decoder = Box::new(lossy::Decoder::new(source, data, size, budget)?);
            let Some(chunk) = self.alpha else { return Ok(Rows::Lossy(decoder)) };
            let alpha = Alpha::new(source, chunk, size, budget)?;
            let colors = budget.filled(PixelFormat::RGB8.row_bytes(size.width), 0)?;
            return Ok(Rows::LossyWithAlpha { decoder, alpha, colors });
        }
        let at = data.at + Self::LOSSLESS_HEAD_LEN as u64;
        let len = u64::from(data.len) - Self::LOSSLESS_HEAD_LEN as u64;
        Ok(Rows::Lossless { decoder: lossless::Decoder::new(source, (at, len), size, budget)?, has_alpha })
    }
}

/// The rows of a picture, top to bottom.
pub(crate) enum Rows<'a> {
    Lossless {
        decoder: lossless::Decoder<'a>,
        has_alpha: bool,
    },
    Lossy(Box<lossy::Decoder<'a>>),
    LossyWithAlpha {
        decoder: Box<lossy::Decoder<'a>>,
        alpha: Alpha<'a>,
        /// Red, green and blue of a row.
        colors: Vec<u8>,
    },
}

impl Rows<'_> {
    /// Writes the next row, in the format of [`Bitstream::pixels`].
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Io`.
    pub(crate) fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        match self {
            Self::Lossless { decoder, has_alpha } => {
                let pixels = decoder.next_row()?.iter().map(|pixel| pixel.to_le_bytes());
                if *has_alpha {
                    for ([blue, green, red, alpha], into) in pixels.zip(row.as_chunks_mut().0) {
                        *into = [red, green, blue, alpha];
                    }
                } else {
                    for ([blue, green, red, _], into) in pixels.zip(row.as_chunks_mut().0) {
                        *into = [red, green, blue];
                    }
                }
            }
            Self::Lossy(decoder) => decoder.next_row(row)?,
            Self::LossyWithAlpha { decoder, alpha, colors } => {
                decoder.next_row(colors)?;
                let pixels = colors.as_chunks().0.iter().zip(alpha.next_row()?);
                for ((&[red, green, blue], &alpha), into) in pixels.zip(row.as_chunks_mut().0) {
                    *into = [red, green, blue, alpha];
                }
            }
        }
        Ok(())
    }
}
