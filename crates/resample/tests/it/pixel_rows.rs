//! Working pixels in memory, as a source of strips, and the rows of a resampler.

use core::task::Poll;

use raster::{Channels, Pixel, Result, Size};
use resample::{Column, Resampler, STRIP, StripSource};

/// The next row, polled until it is there.
pub(crate) fn read_row<S: StripSource>(resampler: &mut Resampler<S>, row: &mut [Pixel]) -> Result<()> {
    loop {
        if let Poll::Ready(result) = resampler.poll_row(row) {
            return result;
        }
    }
}

/// Working pixels from memory, as a source of strips.
#[derive(Clone, Debug)]
pub(crate) struct PixelRows {
    size: Size,
    channels: Channels,
    pixels: Vec<Pixel>,
    next: usize,
}

impl PixelRows {
    /// Rows of `size.width` pixels, in order.
    pub(crate) fn new(size: Size, pixels: Vec<Pixel>) -> Self {
        assert_eq!(pixels.len() as u64, size.area());
        Self { size, channels: Channels::Rgba, pixels, next: 0 }
    }

    /// The same pixels, handed out in fewer channels.
    pub(crate) fn in_channels(self, channels: Channels) -> Self {
        Self { channels, ..self }
    }

    /// Every row of a resampled picture.
    pub(crate) fn collect<S: StripSource>(resampler: &mut Resampler<S>) -> Result<Self> {
        let size = resampler.size();
        let mut pixels = vec![Pixel::default(); size.area() as usize];
        for row in pixels.chunks_exact_mut(size.width as usize) {
            read_row(resampler, row)?;
        }
        Ok(Self::new(size, pixels))
    }

    /// All pixels, read or not.
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
        strip.fill([[f32::NAN; 4]; 2]); // What lies below the last row must not reach the result.
        for (r, row) in self.pixels[self.next * width..].chunks(width).take(STRIP).enumerate() {
            let values = row.iter().flat_map(|pixel| lanes.iter().map(|&lane| pixel.0[lane]));
            strip.iter_mut().zip(values).for_each(|(column, value)| column[r / 4][r % 4] = value);
            self.next += 1;
        }
        Poll::Ready(Ok(()))
    }
}
