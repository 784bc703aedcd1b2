//! Reading: a stream of operations, each of which gives a pixel or a run of pixels.

use std::rc::Rc;

use raster::bytes::WINDOW;
use raster::{
    Budget, ByteSource, Channels, Cursor, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes,
    PixelFormat, Result, RowReader, Size, Wanted, Warning, limits,
};

/// The magic number, both sides, channels, colour space.
const HEADER: usize = 14;

/// Pixels of the longest run, which takes one byte.
const LONGEST_RUN: u64 = 62;

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    pixels: Pixels<'a>,
    has_begun: bool,
    /// Rows that were read.
    rows: u32,
    /// Whether a row was not whole.
    is_cut: bool,
    notes: Notes,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let mut header = [0; HEADER];
        let filled = source.read_full_at(0, &mut header)?;
        let [b'q', b'o', b'i', b'f', w0, w1, w2, w3, h0, h1, h2, h3, channels, _] = header else {
            return Err(malformed(0, "does not start with qoif"));
        };
        if filled < HEADER {
            return Err(malformed(filled as u64, "ends inside its header"));
        }
        let size = Size::new(u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
        limits::check_size(size, limits::MAX_SIDE)?;
        limits::check_plausible(size, source.byte_len(), LONGEST_RUN)?;
        let channels = match channels {
            3 => Channels::Rgb,
            4 => Channels::Rgba,
            _ => return Err(malformed(12, "has neither three nor four channels")),
        };
        budget.charge(WINDOW as u64)?;
        // The colour space is not used: programs write both values for sRGB, and readers ignore it.
        let pixels = PixelFormat::new(channels, Depth::Eight);
        let info = ImageInfo { working_set: WINDOW as u64, ..ImageInfo::still(Format::Qoi, size, pixels.into()) };
        let pixels =
            Pixels { cursor: Cursor::new(source, HEADER as u64), last: [0, 0, 0, 255], run: 0, seen: [[0; 4]; 64] };
        Ok(Self { info, pixels, has_begun: false, rows: 0, is_cut: false, notes: notes.clone() })
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if core::mem::replace(&mut self.has_begun, true) {
            return Ok(None);
        }
        let info = FrameInfo::new(self.info.size, self.info.row_format);
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let height = self.info.size.height;
        let is_whole = if self.info.row_format.has_alpha() {
            self.pixels.fill(row.as_chunks_mut::<4>().0)?
        } else {
            self.pixels.fill(row.as_chunks_mut::<3>().0)?
        };
        if !is_whole {
            if self.rows == 0 {
                return Err(malformed(self.pixels.cursor.position(), "ends before its first row"));
            }
            if !self.is_cut {
                self.is_cut = true;
                self.notes.warn(Warning::Truncated { rows: self.rows, of: height });
            }
        }
        self.rows += 1;
        Ok(())
    }
}

/// The pixels of the file, one after the other.
struct Pixels<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The last pixel.
    last: [u8; 4],
    /// How often the last pixel is still to be repeated.
    run: u8,
    /// For each hash the pixel that had it last.
    seen: [[u8; 4]; 64],
}

impl Pixels<'_> {
    /// Fills a row with pixels of three or four samples. Returns whether the file had all of them; the others are 0.
    fn fill<const N: usize>(&mut self, row: &mut [[u8; N]]) -> Result<bool> {
        let mut pixels = row.iter_mut();
        while let Some(pixel) = pixels.next() {
            if self.run > 0 {
                self.run -= 1;
            } else if !self.step()? {
                *pixel = [0; N];
                pixels.for_each(|pixel| *pixel = [0; N]);
                return Ok(false);
            }
            pixel.copy_from_slice(&self.last[..N]);
        }
        Ok(true)
    }

    /// Carries out the next operation, after which `last` is the next pixel. Returns false at the end of the file.
    fn step(&mut self) -> Result<bool> {
        let Some(operation) = self.cursor.read_byte()? else { return Ok(false) };
        let [r, g, b, a] = self.last;
        let low = operation & 0x3F;
        self.last = match operation >> 6 {
            3 if operation >= 0xFE => {
                let mut pixel = self.last;
                let samples = if operation == 0xFE { &mut pixel[..3] } else { &mut pixel[..] };
                let wanted = samples.len();
                if self.cursor.read_full(samples)? < wanted {
                    return Ok(false);
                }
                pixel
            }
            3 => {
                // The length is stored minus one, and this pixel is the one.
                self.run = low;
                self.last
            }
            0 => self.seen[usize::from(low)],
            1 => {
                // Differences of two bits each, stored plus two.
                let add = |sample: u8, shift: u8| sample.wrapping_add(low >> shift & 3).wrapping_sub(2);
                [add(r, 4), add(g, 2), add(b, 0), a]
            }
            _ => {
                // The difference of green, stored plus 32; those of red and blue from it, stored plus 8.
                let Some(second) = self.cursor.read_byte()? else { return Ok(false) };
                let green = low.wrapping_sub(32);
                let add = |sample: u8, more: u8| sample.wrapping_add(green).wrapping_add(more).wrapping_sub(8);
                [add(r, second >> 4), g.wrapping_add(green), add(b, second & 15), a]
            }
        };
        self.seen[hash(self.last)] = self.last;
        Ok(true)
    }
}

/// Where a pixel is remembered.
fn hash([r, g, b, a]: [u8; 4]) -> usize {
    let product = |sample: u8, factor: usize| usize::from(sample) * factor;
    (product(r, 3) + product(g, 5) + product(b, 7) + product(a, 11)) % 64
}

fn malformed(offset: u64, cause: &'static str) -> Error {
    Error::malformed(Format::Qoi, offset, cause)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::{SplitSource, generate, read_all};

    fn file(size: [u32; 2], channels: u8, operations: &[u8]) -> Vec<u8> {
        let [width, height] = size.map(u32::to_be_bytes);
        [b"qoif", &width[..], &height, &[channels, 0], operations].concat()
    }

    fn read(file: &[u8]) -> Result<(Vec<u8>, Vec<Warning>)> {
        let source = SplitSource::new(file, 3);
        let notes = Notes::default();
        let mut reader = Reader::open(&source, &Budget::new(&Limits::default()), &notes)?;
        let picture = read_all(&mut reader)?;
        assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
        Ok((picture.rows, notes.warnings()))
    }

    #[test]
    fn every_operation_gives_its_pixel() {
        let operations = [
            &[0xFF, 10, 20, 30, 40][..],         // all samples
            &[0xFE, 1, 2, 3],                    // three samples; alpha stays
            &[0b0110_0111],                      // +0, -1, +1
            &[0b1010_0001, 0b1001_0111],         // green +1, red +2, blue +0
            &[0xC0 | 1],                         // twice
            &[hash([10, 20, 30, 40]) as u8],     // the first pixel again
            &[0b0100_0000, 0xFE, 255, 255, 255], // -2 each; then three samples
            &[0b0111_1111],                      // +1 each, over the edge
        ]
        .concat();
        let file = file([5, 2], 4, &operations);
        let want = [
            [10, 20, 30, 40],
            [1, 2, 3, 40],
            [1, 1, 4, 40],
            [3, 2, 4, 40],
            [3, 2, 4, 40],
            [3, 2, 4, 40],
            [10, 20, 30, 40],
            [8, 18, 28, 40],
            [255, 255, 255, 40],
            [0, 0, 0, 40],
        ];
        assert_eq!(read(&file).unwrap(), (want.concat(), vec![]));
    }

    /// The files are those of the crate `qoi`, which nobody here wrote.
    #[test]
    fn pictures_of_another_encoder_are_read_exactly() {
        let size = Size::new(97, 41);
        for pixels in [PixelFormat::RGB8, PixelFormat::RGBA8] {
            let pictures = [generate::noise(size, pixels, 1), generate::gradient(size, pixels)];
            for picture in pictures.into_iter().chain([generate::checker_lines(size, pixels)]) {
                let file = qoi::encode_to_vec(&picture.rows, size.width, size.height).unwrap();
                assert_eq!(read(&file).unwrap(), (picture.rows, vec![]));
            }
        }
    }

    #[test]
    fn rows_behind_the_end_are_blank_with_a_warning() {
        let (rows, warnings) = read(&file([2, 3], 3, &[0xFE, 9, 9, 9, 0xC0, 0xFE, 8, 8, 8])).unwrap();
        assert_eq!(rows, [9, 9, 9, 9, 9, 9, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(warnings, [Warning::Truncated { rows: 1, of: 3 }]);
        let error = read(&file([2, 3], 3, &[0xFE, 9])).unwrap_err();
        assert_eq!(error.code(), "malformed");
    }

    #[test]
    fn headers_that_cannot_be_are_refused() {
        for (file, code) in [
            (file([0, 3], 3, &[]), "no-size"),
            (file([3, 3], 5, &[]), "malformed"),
            (file([900_000, 900_000], 4, &[0xFF; 99]), "implausible"),
            (file([1_000_001, 1], 4, &[]), "side"),
            (b"qoif\0\0\0".to_vec(), "malformed"),
            (b"qoi".to_vec(), "malformed"),
        ] {
            assert_eq!(read(&file).unwrap_err().code(), code);
        }
    }
}
