//! Working pixels in memory as a source of strips, and a reader of a resampler's rows.

use core::task::Poll;

use raster::{Channels, Pixel, Result, Size};
use resample::{Column, Resampler, STRIP, StripSource};

/// Polls the next row until it is ready.
pub(crate) fn read_row<S: StripSource>(resampler: &mut Resampler<S>, row: &mut [Pixel]) -> Result<()> {
    loop {
        if let Poll::Ready(result) = resampler.poll_row(row) {
            return result;
        }
    }
}

/// Working pixels in memory, as a source of strips.
#[derive(Clone, Debug)]
pub(crate) struct PixelRows {
    size: Size,
    channels: Channels,
    pixels: Vec<Pixel>,
    next: usize,
}

impl PixelRows {
    /// Creates a source of rows of `size.width` pixels, in order.
    pub(crate) fn new(size: Size, pixels: Vec<Pixel>) -> Self {
        assert_eq!(pixels.len() as u64, size.area());
        Self { size, channels: Channels::Rgba, pixels, next: 0 }
    }

    /// Returns the same pixels as a source with fewer channels.
    pub(crate) fn in_channels(self, channels: Channels) -> Self {
        Self { channels, ..self }
    }

    /// Collects every row of a resampled picture.
    pub(crate) fn collect<S: StripSource>(resampler: &mut Resampler<S>) -> Result<Self> {
        let size = resampler.size();
        let mut pixels = vec![Pixel::default(); size.area() as usize];
        for row in pixels.chunks_exact_mut(size.width as usize) {
            read_row(resampler, row)?;
        }
        Ok(Self::new(size, pixels))
    }

    /// Returns all pixels, read or not.
    pub(crate) fn pixels(&self) -> &[Pixel] {
        &self.pixels
    }
}

impl StripSource for PixelRows {
    fn size(&self) -> Size {
        self.size
    }

    fn channels(&self) -> Channels {
        self.channels
    }

    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
        let width = self.size.width as usize;
        let lanes: &[usize] = match self.channels {
            Channels::Gray => &[0],
            Channels::GrayAlpha => &[0, 3],
            Channels::Rgb => &[0, 1, 2],
            Channels::Rgba => &[0, 1, 2, 3],
        };
        assert_eq!(strip.len(), width * lanes.len(), "a strip of the source's width");
        strip.fill([[f32::NAN; 4]; 2]); // Values below the last row must not affect the result.
        for (r, row) in self.pixels[self.next * width..].chunks(width).take(STRIP).enumerate() {
            let values = row.iter().flat_map(|pixel| lanes.iter().map(|&lane| pixel.0[lane]));
            strip.iter_mut().zip(values).for_each(|(column, value)| column[r / 4][r % 4] = value);
            self.next += 1;
        }
        Poll::Ready(Ok(()))
    }
}
