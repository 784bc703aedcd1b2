//! The two bitstreams of WebP: VP8 (RFC 6386), which is lossy and has its alpha in a separate chunk, and VP8L (RFC 9649
//! §3), which is lossless.

use std::io;

use image_webp::{DecodingError, WebPDecoder};
use raster::{Budget, ByteSource, Cursor, PixelFormat, Result, Size, Spliced};

use crate::chunk::{Chunk, HEADER_LEN};
use crate::error::Cause;
use crate::partitions;

/// The longest side: VP8L stores a side minus one in 14 bits, VP8 a side in 14 bits.
pub(crate) const MAX_SIDE: u32 = 16_383;

/// The bytes that the decoder holds for any picture: tables, probabilities, its window over the file.
const FIXED_MEMORY: u64 = 1 << 20;

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
    pub(crate) fn lossless(data: Chunk, head: [u8; 5]) -> Result<Self> {
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

    /// Returns the pixel format of [`Bitstream::decode`].
    pub(crate) const fn pixels(&self) -> PixelFormat {
        if self.has_alpha { PixelFormat::RGBA8 } else { PixelFormat::RGB8 }
    }

    /// Returns the bytes that [`Bitstream::decode`] holds at once, including its result. VP8 needs planes of
    /// macroblocks with 12 bits a pixel and the compressed data; VP8L needs 32 bits a pixel and the transforms. Alpha
    /// is a VP8L picture.
    pub(crate) fn memory(&self) -> u64 {
        let area = u64::from(self.size.width.next_multiple_of(16)) * u64::from(self.size.height.next_multiple_of(16));
        let compressed = u64::from(self.data.len) + self.alpha.map_or(0, |alpha| alpha.len.into());
        // The last partition is read into a list that grows, and copied.
        area * (self.pixels().bytes() as u64 + if self.alpha.is_some() { 8 } else { 5 }) + 3 * compressed + FIXED_MEMORY
    }

    /// Decodes all pixels, row by row.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Limit` when the budget is too small for
    /// [`Bitstream::memory`], `Io`.
    pub(crate) fn decode(&self, source: &dyn ByteSource, budget: &Budget) -> Result<Vec<u8>> {
        let pixels_len = self.pixels().row_bytes(self.size.width) * u64::from(self.size.height);
        let working = budget.scope();
        working.charge(self.memory() - pixels_len)?;
        if self.is_lossy {
            partitions::check(source, self.data)?;
        }
        let file = Input(Cursor::new(self.as_file(source), 0));
        let mut pixels = budget.filled(pixels_len, 0)?;
        let decoded = WebPDecoder::new(file).and_then(|mut decoder| decoder.read_image(&mut pixels));
        match decoded {
            Ok(()) => Ok(pixels),
            Err(DecodingError::IoError(error)) => Err(match error.downcast::<raster::Error>() {
                Ok(error) => error,
                Err(error) => Cause::Data(DecodingError::IoError(error)).at(self.data.at),
            }),
            Err(error) => Err(Cause::Data(error).at(self.data.at)),
        }
    }

    /// Returns the picture as a file of its own, without animation and metadata.
    fn as_file<'a>(&self, source: &'a dyn ByteSource) -> Spliced<'a> {
        let start = self.alpha.unwrap_or(self.data).at - HEADER_LEN;
        let len = self.data.at + u64::from(self.data.len) - start;
        let mut head = Vec::new();
        if self.alpha.is_some() {
            let [width, height] = [self.size.width, self.size.height].map(|side| (side - 1).to_le_bytes());
            head.extend(b"VP8X\x0A\0\0\0\x10\0\0\0");
            head.extend([&width[..3], &height[..3]].concat());
        }
        let riff_len = 4 + head.len() as u32 + u32::try_from(len).unwrap_or(u32::MAX);
        let riff = [b"RIFF".as_slice(), &riff_len.to_le_bytes(), b"WEBP", &head].concat();
        Spliced::new(riff, source, start, len).followed_by(vec![0; (len % 2) as usize])
    }
}

/// A cursor as a reader of the standard library.
struct Input<'a>(Cursor<Spliced<'a>>);

impl io::BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.peek().map_err(io::Error::other)
    }

    fn consume(&mut self, n: usize) {
        self.0.advance(n);
    }
}

impl io::Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read_full(into).map_err(io::Error::other)
    }
}

impl io::Seek for Input<'_> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let position = self.0.position();
        let target = match to {
            io::SeekFrom::Start(offset) => Some(offset),
            io::SeekFrom::Current(distance) => position.checked_add_signed(distance),
            io::SeekFrom::End(distance) => {
                position.checked_add(self.0.left()).and_then(|end| end.checked_add_signed(distance))
            }
        };
        let target = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.0.seek_to(target);
        Ok(target)
    }
}
