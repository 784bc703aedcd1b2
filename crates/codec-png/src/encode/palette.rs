//! Pictures of few colours: rows are held as indices while all colours fit into a palette. A photograph has too many
//! after its first row or two; the held rows are then written without a palette.

use raster::palette::{ColorTable, MAX_COLORS, pack};
use raster::{Budget, Channels, PixelFormat, Result, Size};

use crate::header::{ColorType, Header};

/// The largest number of held pixels, one byte each.
const HELD: u64 = 16 << 20;

/// The least number of pixels for each palette entry; with fewer, the palette costs more than it saves.
const PIXELS_PER_ENTRY: u64 = 4;

/// The distance between two of the sixteen levels of grey that four bits can store.
const GRAY_STEP: u8 = 17;

/// A picture of few colours.
pub(crate) struct Indexed {
    pub(crate) size: Size,
    pub(crate) pixels: PixelFormat,
    /// Red, green, blue, alpha; for grey pixels the level, 0, 0, 255.
    colors: ColorTable,
    indices: Vec<u8>,
    /// The number of pixels held.
    filled: usize,
    /// The budget scope, which releases the memory when dropped.
    _scope: Budget,
}

/// The form in which a picture of few colours is written.
pub(crate) struct Plan {
    pub(crate) header: Header,
    /// The data of PLTE; empty for levels of grey.
    pub(crate) palette: Vec<u8>,
    /// The data of tRNS, if the pixels have alpha.
    pub(crate) transparency: Vec<u8>,
    /// The sample of each index.
    samples: [u8; MAX_COLORS],
}

impl Indexed {
    /// Creates an empty picture. Returns `None` for pixel formats that a palette does not preserve, and for too many
    /// pixels.
    pub(crate) fn new(size: Size, pixels: PixelFormat, budget: &Budget) -> Option<Self> {
        let fits = matches!(pixels, PixelFormat::GRAY8 | PixelFormat::RGB8 | PixelFormat::RGBA8);
        let scope = budget.scope();
        let indices = if fits && size.area() <= HELD { scope.filled(size.area(), 0) } else { return None };
        let colors = ColorTable::default();
        Some(Self { size, pixels, colors, indices: indices.ok()?, filled: 0, _scope: scope })
    }

    /// Adds a row. Returns false and adds nothing when there are too many colours.
    pub(crate) fn push(&mut self, row: &[u8]) -> bool {
        let before = self.filled;
        let mut last = None;
        for pixel in row.chunks_exact(self.pixels.bytes()) {
            let mut color = [0, 0, 0, 255];
            color[..pixel.len()].copy_from_slice(pixel);
            let index = match last {
                Some((same, index)) if same == color => index,
                _ => {
                    let Some(index) = self.index(color) else {
                        self.filled = before;
                        return false;
                    };
                    index
                }
            };
            last = Some((color, index));
            self.indices[self.filled] = index;
            self.filled += 1;
        }
        true
    }

    fn index(&mut self, color: [u8; 4]) -> Option<u8> {
        if self.pixels == PixelFormat::GRAY8 && !color[0].is_multiple_of(GRAY_STEP) {
            return None;
        }
        self.colors.insert(color)
    }

    /// Passes the held rows to `each`, as they were received.
    pub(crate) fn rows(&self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let colors = self.colors.colors();
        let mut row = Vec::with_capacity(self.size.width as usize * self.pixels.bytes());
        for indices in self.indices[..self.filled].chunks_exact(self.size.width as usize) {
            row.clear();
            indices.iter().for_each(|i| row.extend_from_slice(&colors[usize::from(*i)][..self.pixels.bytes()]));
            each(&row)?;
        }
        Ok(())
    }

    /// Returns the form to write, if it is smaller and is read back as the same pixels.
    pub(crate) fn plan(&self) -> Option<Plan> {
        if self.pixels.channels == Channels::Gray { self.levels() } else { self.palette() }
    }

    /// Returns the form of grey with fewer bits, if those bits can store all levels.
    fn levels(&self) -> Option<Plan> {
        let colors = self.colors.colors();
        let fits = |step: u8| colors.iter().all(|color| color[0].is_multiple_of(step));
        let (depth, step) = [(1, 255), (2, 85), (4, GRAY_STEP)].into_iter().find(|(_, step)| fits(*step))?;
        let mut samples = [0; MAX_COLORS];
        samples.iter_mut().zip(colors).for_each(|(sample, color)| *sample = color[0] / step);
        let header = Header { size: self.size, depth, color: ColorType::Gray, interlaced: false };
        Some(Plan { header, palette: Vec::new(), transparency: Vec::new(), samples })
    }

    /// Returns the form of a palette. Colours with alpha come first, which keeps tRNS short; then the order is from
    /// dark to light, which keeps differences small.
    fn palette(&self) -> Option<Plan> {
        let colors = self.colors.colors();
        if colors.len() as u64 * PIXELS_PER_ENTRY > self.size.area() {
            return None;
        }
        let mut order: Vec<usize> = (0..colors.len()).collect();
        raster::sort_by_key(&mut order, |index| {
            let [r, g, b, a] = colors[*index];
            let lightness = 3 * u32::from(r) + 6 * u32::from(g) + u32::from(b);
            u64::from(a == 255) << 63 | u64::from(lightness) << 32 | u64::from(u32::from_be_bytes([r, g, b, a]))
        });
        let mut samples = [0; MAX_COLORS];
        order.iter().enumerate().for_each(|(sample, index)| samples[*index] = sample as u8);
        let sorted = || order.iter().map(|index| colors[*index]);
        let palette = sorted().flat_map(|[r, g, b, _]| [r, g, b]).collect();
        let transparency = sorted().map(|color| color[3]).take_while(|&alpha| alpha < 255).collect();
        let depth = match colors.len() {
            0..=2 => 1,
            3..=4 => 2,
            5..=16 => 4,
            _ => 8,
        };
        let header = Header { size: self.size, depth, color: ColorType::Indexed, interlaced: false };
        Some(Plan { header, palette, transparency, samples })
    }

    /// Passes the lines of samples to `each`, packed as in the file (§7.2).
    pub(crate) fn lines(&self, plan: &Plan, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut line = Vec::new();
        for indices in self.indices[..self.filled].chunks_exact(self.size.width as usize) {
            line.clear();
            pack(indices.iter().map(|index| plan.samples[usize::from(*index)]), plan.header.depth, &mut line);
            each(&line)?;
        }
        Ok(())
    }
}
