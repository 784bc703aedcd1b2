//! Pictures by formula: the same bytes on every machine. Each reveals one kind of error of resizers.

use raster::{Channels, Depth, PixelFormat, Size};

use crate::Picture;

/// Returns one colour everywhere (red, green, blue, alpha, 0 to 1). It reveals sums of weights that differ from one.
#[must_use]
pub fn flat(size: Size, pixels: PixelFormat, color: [f64; 4]) -> Picture {
    Picture::paint(size, pixels, |_, _| color)
}

/// Returns a gradient: red grows to the right, green downwards, blue along the falling diagonal; alpha is full. It
/// reveals banding and shifts.
#[must_use]
pub fn gradient(size: Size, pixels: PixelFormat) -> Picture {
    let (across, down) = (f64::from((size.width - 1).max(1)), f64::from((size.height - 1).max(1)));
    Picture::paint(size, pixels, |x, y| {
        let (u, v) = (f64::from(x) / across, f64::from(y) / down);
        [u, v, (u + v) / 2.0, 1.0]
    })
}

/// Returns rings whose frequency grows from 0 in the middle to the Nyquist limit at the nearer edges, a third of a
/// period apart in the three colours. They reveal aliasing.
#[must_use]
pub fn zone_plate(size: Size, pixels: PixelFormat) -> Picture {
    let (middle_x, middle_y) = (f64::from(size.width) / 2.0, f64::from(size.height) / 2.0);
    // d/dr of π r² / (2 R) is π r / R: half a period a pixel at r = R.
    let reach = middle_x.min(middle_y).max(0.5);
    Picture::paint(size, pixels, |x, y| {
        let (dx, dy) = (f64::from(x) + 0.5 - middle_x, f64::from(y) + 0.5 - middle_y);
        let phase = core::f64::consts::PI * (dx * dx + dy * dy) / (2.0 * reach);
        let ring = |third: f64| 0.5 + 0.5 * libm::cos(phase + third * core::f64::consts::TAU / 3.0);
        [ring(0.0), ring(1.0), ring(2.0), 1.0]
    })
}

/// A [`zone_plate`], the more transparent the further to the left if the format has alpha.
#[must_use]
pub fn fading(size: Size, pixels: PixelFormat) -> Picture {
    let mut picture = zone_plate(size, pixels);
    if pixels.channels.has_alpha() {
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            let alpha = u32::from(pixels.depth.max()) * x / size.width;
            picture.set_sample(x, y, pixels.channels.count() - 1, alpha as u16);
        }
    }
    picture
}

/// Returns black and white squares of one pixel in the left half, lines of one pixel in the right. In linear light both
/// average to the grey of half the light, in encoded values to the darker grey of half the code. White is one level of
/// 255 short, so that half the code is an integer; the rounding of the mean of 0 and 255 would depend on the
/// implementation.
#[must_use]
pub fn checker_lines(size: Size, pixels: PixelFormat) -> Picture {
    Picture::paint(size, pixels, |x, y| {
        let white = if x < size.width / 2 { (x + y) % 2 } else { x % 2 };
        let v = f64::from(white) * 254.0 / 255.0;
        [v, v, v, 1.0]
    })
}

/// Returns independent random samples, including alpha.
#[must_use]
pub fn noise(size: Size, pixels: PixelFormat, seed: u64) -> Picture {
    let mut random = Lcg::new(seed);
    let mut picture = Picture::blank(size, pixels);
    picture.rows.fill_with(|| random.next_byte());
    picture
}

/// Returns an opaque orange disc with a soft edge on fully transparent green. Filtering straight colour makes the green
/// visible.
#[must_use]
pub fn ghost_edges(size: Size, depth: Depth) -> Picture {
    let (middle_x, middle_y) = (f64::from(size.width) / 2.0, f64::from(size.height) / 2.0);
    let radius = middle_x.min(middle_y) * 0.8;
    Picture::paint(size, PixelFormat::new(Channels::Rgba, depth), |x, y| {
        let (dx, dy) = (f64::from(x) + 0.5 - middle_x, f64::from(y) + 0.5 - middle_y);
        let inside = (radius - libm::sqrt(dx * dx + dy * dy)) / 3.0;
        if inside <= 0.0 { [0.0, 1.0, 0.0, 0.0] } else { [1.0, 0.55, 0.1, inside.min(1.0)] }
    })
}

/// Returns sixteen-bit grey of consecutive codes, row after row, which continues with 0 after 65 535.
#[must_use]
pub fn ramp16(size: Size) -> Picture {
    let mut picture = Picture::blank(size, PixelFormat::new(Channels::Gray, Depth::Sixteen));
    for (i, sample) in picture.rows.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        *sample = (i as u16).to_le_bytes();
    }
    picture
}

/// Knuth's MMIX linear congruential generator (The Art of Computer Programming, vol. 2, §3.3.4); only its high bits are
/// used, because the low bits are not random enough.
#[derive(Clone, Debug)]
pub struct Lcg(u64);

impl Lcg {
    /// Creates a sequence that depends on `seed` only.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// Returns the next random byte.
    pub fn next_byte(&mut self) -> u8 {
        (self.next_u32() >> 24) as u8
    }

    /// Returns a number from 0 to `below` − 1; `below` is at least 1.
    pub fn below(&mut self, below: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(below)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::new(64, 48);

    /// The hashes fix the bytes, because golden tables elsewhere depend on these pictures.
    #[test]
    fn pictures_have_constant_bytes() {
        let rgba16 = PixelFormat::new(Channels::Rgba, Depth::Sixteen);
        let table = [
            ("flat", flat(SIZE, PixelFormat::RGB8, [0.2, 0.4, 0.6, 1.0]), "da28b3b4fc5883a2"),
            ("gradient", gradient(SIZE, PixelFormat::RGB8), "09b04c0c5b658dd3"),
            ("zone plate", zone_plate(SIZE, rgba16), "9ce2d6429eca3c65"),
            ("checker", checker_lines(SIZE, PixelFormat::GRAY8), "5b0b74192f97eb3d"),
            ("noise", noise(SIZE, PixelFormat::RGBA8, 1), "593669a92f072d36"),
            ("ghost edges", ghost_edges(SIZE, Depth::Eight), "1335e9728149d2f6"),
            ("ramp", ramp16(SIZE), "123e718a650ac57c"),
        ];
        for (name, picture, want) in table {
            assert_eq!(crate::sha256(&picture.rows)[..16], *want, "{name}");
        }
    }

    #[test]
    fn the_zone_plate_is_slow_in_the_middle_and_alternates_at_the_edge() {
        let plate = zone_plate(Size::new(400, 400), PixelFormat::GRAY8);
        let step = |x: u32| (i32::from(plate.sample(x, 200, 0)) - i32::from(plate.sample(x + 1, 200, 0))).abs();
        assert!((195..204).all(|x| step(x) < 10));
        assert!((370..399).any(|x| step(x) > 150));
    }

    #[test]
    fn ghost_edges_have_green_in_transparent_pixels() {
        let picture = ghost_edges(SIZE, Depth::Eight);
        assert_eq!(picture.rows[..4], [0, 255, 0, 0]);
        assert_eq!(picture.sample(32, 24, 3), 255);
        assert!((0..64).any(|x| (1..255).contains(&picture.sample(x, 24, 3))), "a soft edge");
    }
}
