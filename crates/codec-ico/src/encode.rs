//! Writing. An entry of at most 256 × 256 pixels is held until its last row and then written whole. The directory is at
//! the front and is written last.

use raster::{
    Budget, ByteSink, Channels, Depth, Error, Format, FrameHeader, ImageSpec, ImageWriter, Limit, Metadata,
    PixelFormat, Result, Size, limits,
};

use crate::directory::{ENTRY, HEADER, entry};

/// The longest side that a directory can state.
const MAX_SIDE: u32 = crate::FORMAT.max_side;
/// The shortest longer side of an entry that is stored as a PNG file.
const PNG_SIDE: u32 = 64;
/// The bytes of the largest frame, four a pixel. The file made of it is not larger: deflate's stored blocks and PNG's
/// chunks add less than a thousandth, which the second half of the charge covers.
const FRAME: u64 = 4 * MAX_SIDE as u64 * MAX_SIDE as u64;

pub(crate) struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    directory: Vec<[u8; ENTRY]>,
    /// The offset of the next entry.
    end: u64,
    /// The frame that was begun last, at first as announced.
    frame: FrameHeader,
    /// Red, green, blue, alpha of the rows so far; it has the length of the largest frame.
    rows: Vec<u8>,
    taken: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn create(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>) -> Result<Self> {
        let too_many = |_| Limit::Parts("icon entries");
        let frames = u16::try_from(spec.frames).map_err(too_many)?;
        let frame = FrameHeader::new(spec.size, spec.pixels);
        check(&frame)?;
        let rows = spec.budget.filled(FRAME, 0)?;
        spec.budget.charge(2 * FRAME)?;
        // When fewer entries than announced are written, unused bytes stay behind the directory.
        let room = vec![0; HEADER + usize::from(frames) * ENTRY];
        sink.write(&room)?;
        let budget = spec.budget.clone();
        Ok(Self { sink, budget, directory: Vec::new(), end: room.len() as u64, frame, rows, taken: 0 })
    }

    /// Writes the complete frame as an entry.
    fn write_entry(&mut self, size: Size) -> Result<()> {
        let rgba = &self.rows[..4 * size.area() as usize];
        let bytes = if size.width.max(size.height) < PNG_SIDE { bitmap(size, rgba) } else { self.png(size, rgba)? };
        let offset = u32::try_from(self.end).map_err(|_| Limit::Parts("bytes in the icon"))?;
        self.directory.push(entry(size, bytes.len() as u32, offset));
        self.end += bytes.len() as u64;
        self.sink.write(&bytes)
    }

    /// Returns the frame as a PNG file. Windows requires the 32 bits a pixel that the directory states, so there is no
    /// palette.
    fn png(&self, size: Size, rgba: &[u8]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        let scope = self.budget.scope();
        let spec = ImageSpec::single(size, PixelFormat::RGBA8, &scope);
        let mut writer = codec_png::create_plain(&mut file, &spec, &codec_png::Options::default())?;
        writer.begin_frame(&FrameHeader::new(size, PixelFormat::RGBA8), &Metadata::default())?;
        rgba.chunks_exact(4 * size.width as usize).try_for_each(|row| writer.write_row(row))?;
        writer.finish()?;
        Ok(file)
    }
}

/// Refuses frames that the format does not support.
fn check(header: &FrameHeader) -> Result<()> {
    if header.pixels.depth != Depth::Eight {
        return Err(Error::Unsupported { format: Format::Ico, feature: "16 bits per sample" });
    }
    limits::check_size(header.size, MAX_SIDE)
}

/// Returns a bitmap as icons store it: `BITMAPINFOHEADER`, whose height includes both bitmaps, rows of blue, green,
/// red, alpha from the last one up, then the mask in the same order, rows padded to 32 bits.
///
/// The mask is for readers without support of alpha, and for readers that apply both: it hides only fully transparent
/// pixels.
fn bitmap(size: Size, rgba: &[u8]) -> Vec<u8> {
    const INFO_HEADER: u32 = 40;
    let Size { width, height } = size;
    let mask_stride = width.div_ceil(32) * 4;
    let len = 4 * size.area() as u32 + mask_stride * height;
    let mut bytes = Vec::with_capacity((INFO_HEADER + len) as usize);
    let one_plane_of_32_bits = 1 | 32 << 16;
    for word in [INFO_HEADER, width, 2 * height, one_plane_of_32_bits, 0, len, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    let rows = || rgba.chunks_exact(4 * width as usize).rev().map(|row| row.as_chunks::<4>().0);
    for row in rows() {
        bytes.extend(row.iter().flat_map(|&[red, green, blue, alpha]| [blue, green, red, alpha]));
    }
    for row in rows() {
        let mut mask = [0; MAX_SIDE as usize / 8];
        for (x, &[.., alpha]) in row.iter().enumerate() {
            mask[x / 8] |= u8::from(alpha == 0) << (7 - x % 8);
        }
        bytes.extend(&mask[..mask_stride as usize]);
    }
    bytes
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, _metadata: &Metadata) -> Result<()> {
        check(header)?;
        (self.frame, self.taken) = (*header, 0);
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let header = self.frame;
        let len = 4 * header.size.width as usize;
        widen(row, &mut self.rows[self.taken as usize * len..][..len], header.pixels.channels)?;
        self.taken += 1;
        if self.taken < header.size.height { Ok(()) } else { self.write_entry(header.size) }
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let mut head = vec![0, 0, 1, 0];
        head.extend((self.directory.len() as u16).to_le_bytes());
        head.extend(self.directory.as_flattened());
        self.sink.patch(0, &head)
    }
}

/// Converts a row to red, green, blue and alpha.
fn widen(row: &[u8], into: &mut [u8], channels: Channels) -> Result<()> {
    let pixels = into.as_chunks_mut::<4>().0.iter_mut().zip(row.chunks_exact(channels.count()));
    match channels {
        Channels::Gray => pixels.for_each(|(into, pixel)| *into = [pixel[0], pixel[0], pixel[0], 255]),
        Channels::GrayAlpha => pixels.for_each(|(into, pixel)| *into = [pixel[0], pixel[0], pixel[0], pixel[1]]),
        Channels::Rgb => pixels.for_each(|(into, pixel)| *into = [pixel[0], pixel[1], pixel[2], 255]),
        Channels::Rgba => into.copy_from_slice(row),
    }
    Ok(())
}
