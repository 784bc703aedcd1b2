//! VP8, the lossy bitstream (RFC 6386), decoded whole by `image-webp`.

use std::io;

use image_webp::{DecodingError, WebPDecoder};
use raster::{Budget, ByteSource, Cursor, PixelFormat, Result, Size, Spliced};

use crate::chunk::{Chunk, HEADER_LEN};
use crate::error::Cause;
use crate::partitions;

/// The bytes that the decoder holds for any picture: tables, probabilities, its window over the file.
const FIXED_MEMORY: u64 = 1 << 20;

/// Returns the bytes that [`decode`] holds at once, with its result. The planes of macroblocks have 12 bits a pixel.
/// The last partition is read into a list that grows, and copied.
pub(crate) fn memory(size: Size, len: u32) -> u64 {
    let area = u64::from(size.width.next_multiple_of(16)) * u64::from(size.height.next_multiple_of(16));
    8 * area + 3 * u64::from(len) + FIXED_MEMORY
}

/// Decodes the colours of all pixels, row by row.
///
/// # Errors
/// `Malformed` when the data are damaged or end early, `Limit` when the budget is too small for [`memory`], `Io`.
pub(crate) fn decode(source: &dyn ByteSource, data: Chunk, size: Size, budget: &Budget) -> Result<Vec<u8>> {
    let pixels_len = PixelFormat::RGB8.row_bytes(size.width) * u64::from(size.height);
    let working = budget.scope();
    working.charge(memory(size, data.len) - pixels_len)?;
    partitions::check(source, data)?;
    let file = Input(Cursor::new(as_file(source, data), 0));
    let mut pixels = budget.filled(pixels_len, 0)?;
    let decoded = WebPDecoder::new(file).and_then(|mut decoder| decoder.read_image(&mut pixels));
    match decoded {
        Ok(()) => Ok(pixels),
        Err(DecodingError::IoError(error)) => Err(match error.downcast::<raster::Error>() {
            Ok(error) => error,
            Err(error) => Cause::Lossy(DecodingError::IoError(error)).at(data.at),
        }),
        Err(error) => Err(Cause::Lossy(error).at(data.at)),
    }
}

/// Returns the picture as a file of its own, without animation, alpha and metadata.
fn as_file<'a>(source: &'a dyn ByteSource, data: Chunk) -> Spliced<'a> {
    let len = HEADER_LEN + u64::from(data.len);
    let riff_len = 4 + u32::try_from(len).unwrap_or(u32::MAX);
    let riff = [b"RIFF".as_slice(), &riff_len.to_le_bytes(), b"WEBP"].concat();
    Spliced::new(riff, source, data.at - HEADER_LEN, len).followed_by(vec![0; (len % 2) as usize])
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
