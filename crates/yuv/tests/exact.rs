//! All codings, compared with the definitions in f64.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a failed call fails the test")]

use raster::{Budget, Limits};
use yuv::{Coding, Converter, Matrix, Rows, Sampling, Siting};

const SAMPLINGS: [Sampling; 4] = [Sampling::Gray, Sampling::Half, Sampling::Columns, Sampling::Full];
const SITINGS: [Siting; 4] = [Siting::Center, Siting::Left, Siting::TopLeft, Siting::Top];

/// A plane of samples.
struct Plane {
    width: u32,
    rows: Vec<Vec<u16>>,
}

impl Plane {
    /// Creates a plane with all values, in no order, the smallest and the largest among them.
    fn new(width: u32, height: u32, depth: u8, seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = (state >> 40) as u32 & 0xFFFF;
            match value % 11 {
                0 => 0,
                1 => ((1_u32 << depth) - 1) as u16,
                _ => (value >> (16 - depth)) as u16,
            }
        };
        let rows = (0..height).map(|_| (0..width).map(|_| next()).collect()).collect();
        Self { width, rows }
    }

    /// Returns the value at a place in samples of this plane, linear between samples, constant outside.
    fn at(&self, x: f64, y: f64) -> f64 {
        let axis = |at: f64, len: u32| {
            let at = at.clamp(0.0, f64::from(len - 1));
            let first = at.floor() as usize;
            (first, (first + 1).min(len as usize - 1), at - at.floor())
        };
        let (x0, x1, fx) = axis(x, self.width);
        let (y0, y1, fy) = axis(y, self.rows.len() as u32);
        let sample = |x: usize, y: usize| f64::from(self.rows[y][x]);
        (sample(x0, y0) * (1.0 - fx) + sample(x1, y0) * fx) * (1.0 - fy)
            + (sample(x0, y1) * (1.0 - fx) + sample(x1, y1) * fx) * fy
    }
}

/// Returns the pixel of the definitions: H.273 §8.3, chroma by its place.
fn exact(coding: &Coding, [luma, blue, red]: &[Plane; 3], x: u32, y: u32) -> Vec<f64> {
    let unit = f64::from(1_u32 << (coding.depth - 8));
    let all = 256.0 * unit - 1.0;
    let light = |sample: f64| if coding.is_full_range { sample / all } else { (sample - 16.0 * unit) / (219.0 * unit) };
    let color = |sample: f64| (sample - 128.0 * unit) / if coding.is_full_range { all } else { 224.0 * unit };
    let most = if coding.depth > 8 { 65_535.0 } else { 255.0 };
    let scaled = |value: f64| (value * most).clamp(0.0, most);
    let lightness = light(f64::from(luma.rows[y as usize][x as usize]));
    if coding.sampling == Sampling::Gray {
        return vec![scaled(lightness)];
    }
    let (x, y) = (f64::from(x), f64::from(y));
    let half = |at: f64, is_between: bool| if is_between { (at - 0.5) / 2.0 } else { at / 2.0 };
    let column = half(x, matches!(coding.siting, Siting::Center | Siting::Top));
    let row = half(y, matches!(coding.siting, Siting::Center | Siting::Left));
    let place = match coding.sampling {
        Sampling::Half => (column, row),
        Sampling::Columns => (column, y),
        _ => (x, y),
    };
    let [blue, red] = [blue, red].map(|plane| plane.at(place.0, place.1));
    let rgb = match coding.matrix {
        Matrix::Identity => [light(red), lightness, light(blue)],
        Matrix::GreenOrange => {
            let (green, orange) = (color(blue), color(red));
            [lightness - green + orange, lightness + green, lightness - green - orange]
        }
        Matrix::Weights { red: kr, blue: kb } => {
            let r = lightness + 2.0 * (1.0 - kr) * color(red);
            let b = lightness + 2.0 * (1.0 - kb) * color(blue);
            [r, (lightness - kr * r - kb * b) / (1.0 - kr - kb), b]
        }
    };
    rgb.map(scaled).to_vec()
}

/// Converts all rows of a picture and returns the largest distance to the exact values, in levels.
fn distance(coding: &Coding, width: u32, height: u32, channels: usize) -> f64 {
    let sampling = coding.sampling;
    let (chroma_width, chroma_height) = (sampling.width(width).max(1), sampling.height(height).max(1));
    let planes = [
        Plane::new(width, height, coding.depth, 1),
        Plane::new(chroma_width, chroma_height, coding.depth, 2),
        Plane::new(chroma_width, chroma_height, coding.depth, 3),
    ];
    let budget = Budget::new(&Limits::default());
    let mut converter = Converter::new(*coding, width, height, &budget).unwrap();
    let bytes = if coding.depth > 8 { 2 } else { 1 };
    let mut out = vec![0; width as usize * channels * bytes];
    let mut furthest = 0_f64;
    for y in 0..height {
        let rows = converter.chroma_rows(y).map(|row| row.min(chroma_height - 1) as usize);
        let [blue, red] = [&planes[1], &planes[2]].map(|plane| rows.map(|row| plane.rows[row].as_slice()));
        converter.convert(y, &Rows { luma: &planes[0].rows[y as usize], blue, red }, channels, &mut out);
        for x in 0..width {
            let pixel = &out[x as usize * channels * bytes..][..channels * bytes];
            for (sample, wanted) in pixel.chunks_exact(bytes).zip(exact(coding, &planes, x, y)) {
                let sample = sample.iter().rev().fold(0.0, |sum, &byte| sum * 256.0 + f64::from(byte));
                furthest = furthest.max((sample - wanted).abs());
            }
        }
    }
    furthest
}

#[test]
fn every_coding_is_within_half_a_level_of_exact_arithmetic() {
    let matrices = [0, 1, 2, 4, 5, 6, 7, 8, 9, 12].map(|number| Matrix::new(number, 9).unwrap());
    for matrix in matrices {
        for depth in [8, 10, 12] {
            for is_full_range in [false, true] {
                for sampling in SAMPLINGS {
                    for siting in SITINGS {
                        let coding = Coding { depth, sampling, siting, matrix, is_full_range };
                        let channels = if sampling == Sampling::Gray { 2 } else { 3 + usize::from(depth == 10) };
                        let distance = distance(&coding, 37, 9, channels);
                        assert!(distance < 0.5 + 0.02, "{coding:?}: {distance}");
                    }
                }
            }
        }
    }
}

#[test]
fn small_pictures_have_the_same_borders() {
    for width in 1..=5 {
        for height in 1..=4 {
            for sampling in SAMPLINGS {
                for siting in SITINGS {
                    let coding = Coding { depth: 8, sampling, siting, matrix: Matrix::BT_601, is_full_range: true };
                    let distance = distance(&coding, width, height, if sampling == Sampling::Gray { 1 } else { 4 });
                    assert!(distance < 0.501, "{width} × {height} {coding:?}: {distance}");
                }
            }
        }
    }
}
