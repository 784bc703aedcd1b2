//! The slow reference implementation, which is also the specification: it resamples a whole picture in f64, from stored
//! samples to stored samples. It is written from the definition and shares no code with the rest of the engine, not
//! even the kernels. Only tests use it.

#![expect(clippy::disallowed_methods, reason = "written with the standard library, as the definitions are")]

use core::f64::consts::PI;
use core::ops::Range;

use raster::{Depth, PixelFormat, Size};

use crate::{Filter, Kernel, Ringing};

/// The values in which the picture is filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// Values proportional to light, by sRGB's curve (IEC 61966-2-1).
    Linear,
    /// Stored values.
    Encoded,
}

/// A picture as stored samples: all rows, top to bottom, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// Width and height.
    pub size: Size,
    /// The format of a pixel in `rows`.
    pub pixels: PixelFormat,
    /// The samples.
    pub rows: &'a [u8],
}

/// Returns `picture` resampled to `target` in the same pixel format: the exact result, rounded half up. Where alpha
/// rounds to 0, colour is 0. With limited ringing, each sample is clamped to the range of those that it is
/// made of.
///
/// # Panics
/// When `rows` are shorter than the size requires.
#[must_use]
pub fn resize(picture: Stored<'_>, target: Size, filter: impl Into<Filter>, light: Light) -> Vec<u8> {
    let Filter { kernel, ringing } = filter.into();
    let (from, pixels) = (picture.size, picture.pixels);
    let across = weights(from.width, target.width, kernel);
    let down = weights(from.height, target.height, kernel);
    let row_bytes = from.width as usize * pixels.bytes();
    let source: Vec<Vec<[f64; 4]>> = (0..from.height as usize)
        .map(|y| working(&picture.rows[y * row_bytes..][..row_bytes], pixels, light))
        .collect();
    let narrow: Vec<Vec<[f64; 4]>> =
        source.iter().map(|row| across.iter().map(|span| sum(span, |x| row[x])).collect()).collect();
    let row = |down: &[(usize, f64)]| -> Vec<[f64; 4]> {
        let pixel = |(x, across): (usize, &Vec<_>)| match ringing {
            Ringing::Kept => sum(down, |y| narrow[y][x]),
            Ringing::Limited => clamp(sum(down, |y| narrow[y][x]), &source[range(down)], range(across)),
        };
        across.iter().enumerate().map(pixel).collect()
    };
    down.iter().flat_map(|span| stored(&row(span), pixels, light, 1e-9)).collect()
}

/// Converts stored samples to working pixels: red, green, blue, alpha, from 0 to 1, colour premultiplied.
#[must_use]
pub fn working(stored: &[u8], pixels: PixelFormat, light: Light) -> Vec<[f64; 4]> {
    stored.chunks_exact(pixels.bytes()).map(|pixel| premultiplied(pixel, pixels, light)).collect()
}

/// Converts working pixels to stored samples. A value that is below the middle between two codes by at most `slack` of
/// a level is rounded up: the mean of 0 and 255 is 128, though rounding in the arithmetic may give slightly less. Where
/// alpha rounds to 0, colour is 0.
#[must_use]
pub fn stored(row: &[[f64; 4]], pixels: PixelFormat, light: Light, slack: f64) -> Vec<u8> {
    let mut out = Vec::with_capacity(row.len() * pixels.bytes());
    row.iter().for_each(|&pixel| store(pixel, (pixels, light, slack), &mut out));
    out
}

fn sum(span: &[(usize, f64)], pixel: impl Fn(usize) -> [f64; 4]) -> [f64; 4] {
    core::array::from_fn(|lane| span.iter().map(|&(at, weight)| pixel(at)[lane] * weight).sum())
}

/// Returns the range of source pixels of a span.
fn range(span: &[(usize, f64)]) -> Range<usize> {
    span[0].0..span[span.len() - 1].0 + 1
}

/// Clamps each lane to its range in some columns of some rows.
fn clamp(pixel: [f64; 4], rows: &[Vec<[f64; 4]>], columns: Range<usize>) -> [f64; 4] {
    core::array::from_fn(|lane| {
        let values = || rows.iter().flat_map(|row| &row[columns.clone()]).map(|pixel| pixel[lane]);
        pixel[lane].clamp(values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    })
}

/// Returns for each target pixel the source pixels that contribute, and their weights, which sum to one.
fn weights(from: u32, to: u32, kernel: Kernel) -> Vec<Vec<(usize, f64)>> {
    let scale = f64::from(from) / f64::from(to);
    let wide = scale.max(1.0);
    (0..to)
        .map(|j| {
            let center = (f64::from(j) + 0.5) * scale;
            // An axis that keeps its size is copied.
            if kernel == Kernel::Nearest || from == to {
                // The small number keeps a tie a tie when rounding has moved it down.
                return vec![((center + 1e-9) as usize, 1.0)];
            }
            let first = (center - 3.0 * wide - 1.0).max(0.0) as u32;
            let last = (center + 3.0 * wide + 1.0).min(f64::from(from)) as u32;
            let distance = |i: u32| ((f64::from(i) + 0.5 - center) / wide).abs();
            let reached = (first..last).filter(|&i| distance(i) < support(kernel) - 1e-9);
            let span: Vec<(usize, f64)> = reached.map(|i| (i as usize, value(kernel, distance(i)))).collect();
            let total: f64 = span.iter().map(|pair| pair.1).sum();
            span.into_iter().map(|(i, weight)| (i, weight / total)).collect()
        })
        .collect()
}

/// Returns the distance at which a kernel becomes zero. Two boxes share a pixel whose centre is on the border of both.
fn support(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Lanczos3 => 3.0,
        Kernel::Lanczos2 | Kernel::Mitchell | Kernel::CatmullRom => 2.0,
        Kernel::Bilinear => 1.0,
        Kernel::Box | Kernel::Nearest => 0.5 + 2e-9,
    }
}

/// Returns the value of a kernel, in its simplest form.
fn value(kernel: Kernel, x: f64) -> f64 {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    match kernel {
        Kernel::Lanczos3 if x < 3.0 => sinc(x) * sinc(x / 3.0),
        Kernel::Lanczos2 if x < 2.0 => sinc(x) * sinc(x / 2.0),
        Kernel::Mitchell if x < 1.0 => (21.0 * x.powi(3) - 36.0 * x.powi(2) + 16.0) / 18.0,
        Kernel::Mitchell if x < 2.0 => (-7.0 * x.powi(3) + 36.0 * x.powi(2) - 60.0 * x + 32.0) / 18.0,
        Kernel::CatmullRom if x < 1.0 => (3.0 * x.powi(3) - 5.0 * x.powi(2) + 2.0) / 2.0,
        Kernel::CatmullRom if x < 2.0 => (-x.powi(3) + 5.0 * x.powi(2) - 8.0 * x + 4.0) / 2.0,
        Kernel::Bilinear if x < 1.0 => 1.0 - x,
        Kernel::Box if (x - 0.5).abs() < 1e-9 => 0.5,
        Kernel::Box if x < 0.5 => 1.0,
        _ => 0.0,
    }
}

/// Converts a stored pixel to red, green, blue, alpha, premultiplied.
fn premultiplied(stored: &[u8], pixels: PixelFormat, light: Light) -> [f64; 4] {
    let sample = |channel: usize| match pixels.depth {
        Depth::Eight => f64::from(stored[channel]) / 255.0,
        Depth::Sixteen => f64::from(u16::from_le_bytes([stored[2 * channel], stored[2 * channel + 1]])) / 65_535.0,
    };
    let color = |channel: usize| match (light, sample(channel)) {
        (Light::Encoded, v) => v,
        (Light::Linear, v) if v <= 0.04045 => v / 12.92,
        (Light::Linear, v) => ((v + 0.055) / 1.055).powf(2.4),
    };
    let channels = pixels.channels;
    let [green, blue] = if channels.has_color() { [1, 2] } else { [0, 0] };
    let alpha = if channels.has_alpha() { sample(channels.count() - 1) } else { 1.0 };
    [color(0) * alpha, color(green) * alpha, color(blue) * alpha, alpha]
}

/// Appends a pixel in its stored form.
fn store(pixel: [f64; 4], (pixels, light, slack): (PixelFormat, Light, f64), out: &mut Vec<u8>) {
    let max = f64::from(pixels.depth.max());
    let code = |value: f64| (value.clamp(0.0, 1.0) * max + 0.5 + slack).floor() as u16;
    let encoded = |value: f64| match light {
        Light::Encoded => value,
        Light::Linear if value <= 0.003_130_8 => value * 12.92,
        Light::Linear => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    };
    let with_alpha = pixels.channels.has_alpha();
    let alpha = if with_alpha { pixel[3] } else { 1.0 };
    let unseen = code(alpha) == 0;
    let colors = pixels.channels.count() - usize::from(with_alpha);
    let color = pixel[..colors].iter().map(|&value| if unseen { 0 } else { code(encoded(value / alpha)) });
    for code in color.chain(with_alpha.then_some(code(alpha))) {
        out.extend_from_slice(&code.to_le_bytes()[..pixels.depth.bytes()]);
    }
}
