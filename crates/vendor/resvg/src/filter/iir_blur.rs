// Copyright 2020 the Resvg Authors
// SPDX-License-Identifier: Apache-2.0 OR MIT

// An IIR blur.
//
// Based on http://www.getreuer.info/home/gaussianiir
//
// Licensed under 'Simplified BSD License'.
//
//
// Implements the fast Gaussian convolution algorithm of Alvarez and Mazorra,
// where the Gaussian is approximated by a cascade of first-order infinite
// impulsive response (IIR) filters.  Boundaries are handled with half-sample
// symmetric extension.
//
// Gaussian convolution is approached as approximating the heat equation and
// each timestep is performed with an efficient recursive computation.  Using
// more steps yields a more accurate approximation of the Gaussian.  A
// reasonable default value for `numsteps` is 4.
//
// Reference:
// Alvarez, Mazorra, "Signal and Image Restoration using Shock Filters and
// Anisotropic Diffusion," SIAM J. on Numerical Analysis, vol. 31, no. 2,
// pp. 590-605, 1994.

// TODO: Blurs right and bottom sides twice for some reason.

use super::ImageRefMut;

/// Rows that are filtered at once.
const LINES: usize = 4;

struct BlurData {
    width: usize,
    height: usize,
    sigma_x: f64,
    sigma_y: f64,
    steps: usize,
}

/// Applies an IIR blur.
///
/// Input image pixels should have a **premultiplied alpha**.
///
/// A negative or zero `sigma_x`/`sigma_y` will disable the blur along that axis.
///
/// # Allocations
///
/// This method will allocate a 2x `src` buffer.
pub fn apply(sigma_x: f64, sigma_y: f64, src: ImageRefMut) {
    let buf_size = (src.width * src.height) as usize;
    let mut buf = vec![0.0; buf_size];
    let buf = &mut buf;

    let d = BlurData {
        width: src.width as usize,
        height: src.height as usize,
        sigma_x,
        sigma_y,
        steps: 4,
    };

    let data = bytemuck::cast_slice_mut(src.data);
    gaussian_channel(data, &d, 0, buf);
    gaussian_channel(data, &d, 1, buf);
    gaussian_channel(data, &d, 2, buf);
    gaussian_channel(data, &d, 3, buf);
}

fn gaussian_channel(data: &mut [u8], d: &BlurData, channel: usize, buf: &mut [f64]) {
    let pixels = data.as_chunks_mut::<4>().0;
    // A channel of zeros stays as it is. The shadow of an alpha channel has three of them.
    if pixels.iter().all(|pixel| pixel[channel] == 0) {
        return;
    }

    for (value, pixel) in buf.iter_mut().zip(&*pixels) {
        *value = pixel[channel] as f64 / 255.0;
    }

    gaussianiir2d(d, buf);

    for (value, pixel) in buf.iter().zip(pixels) {
        pixel[channel] = (value * 255.0) as u8;
    }
}

fn gaussianiir2d(d: &BlurData, buf: &mut [f64]) {
    let (lambda_x, dnu_x) = coefficients(d.sigma_x, d.steps);
    if d.sigma_x > 0.0 {
        let mut line = vec![[0.0; LINES]; d.width];
        for rows in buf.chunks_mut(LINES * d.width) {
            filter_rows(rows, &mut line, dnu_x, d.steps);
        }
    }

    let (lambda_y, dnu_y) = coefficients(d.sigma_y, d.steps);
    if d.sigma_y > 0.0 {
        for _ in 0..d.steps {
            filter_columns(buf, d, dnu_y);
        }
    }

    let post_scale =
        ((dnu_x * dnu_y).sqrt() / (lambda_x * lambda_y).sqrt()).powi(2 * d.steps as i32);
    buf.iter_mut().for_each(|v| *v *= post_scale);
}

/// Filters a few rows at once, because each value waits for the one before it in its row.
fn filter_rows(rows: &mut [f64], line: &mut [[f64; LINES]], dnu: f64, steps: usize) {
    if rows.iter().all(|&value| value == 0.0) {
        return;
    }
    let width = line.len();
    for (i, row) in rows.chunks_exact(width).enumerate() {
        line.iter_mut().zip(row).for_each(|(values, &value)| values[i] = value);
    }
    for _ in 0..steps {
        // Rightwards, then leftwards.
        for x in 1..width {
            line[x] = core::array::from_fn(|i| line[x][i] + dnu * line[x - 1][i]);
        }
        for x in (1..width).rev() {
            line[x - 1] = core::array::from_fn(|i| line[x - 1][i] + dnu * line[x][i]);
        }
    }
    for (i, row) in rows.chunks_exact_mut(width).enumerate() {
        line.iter().zip(row).for_each(|(values, value)| *value = values[i]);
    }
}

/// Filters all columns downwards, then upwards.
fn filter_columns(buf: &mut [f64], d: &BlurData, dnu: f64) {
    let add = |row: &mut [f64], other: &[f64]| {
        row.iter_mut().zip(other).for_each(|(value, other)| *value += dnu * other);
    };
    for y in 1..d.height {
        let (above, row) = buf[(y - 1) * d.width..].split_at_mut(d.width);
        add(&mut row[..d.width], above);
    }
    for y in (1..d.height).rev() {
        let (above, row) = buf[(y - 1) * d.width..].split_at_mut(d.width);
        add(above, &row[..d.width]);
    }
}

/// Those of no blur where `sigma` is not positive.
fn coefficients(sigma: f64, steps: usize) -> (f64, f64) {
    if sigma > 0.0 {
        gen_coefficients(sigma, steps)
    } else {
        (1.0, 1.0)
    }
}

fn gen_coefficients(sigma: f64, steps: usize) -> (f64, f64) {
    let lambda = (sigma * sigma) / (2.0 * steps as f64);
    let dnu = (1.0 + 2.0 * lambda - (1.0 + 4.0 * lambda).sqrt()) / (2.0 * lambda);
    (lambda, dnu)
}
