//! Conversion of Greg Ward's LogLuv codes (TIFF technical note on LogLuv, 1997) to eight-bit RGB of Rec. 709's
//! primaries, with the curve of libtiff: the square root, clipped at 1.

use super::uv_rows::{NEUTRAL, ROWS};

/// Returns the luminance of a code: 256 steps to a factor of two, from 64 factors of two below 1.
fn luminance(code: u32) -> f64 {
    match code & 0x7FFF {
        0 => 0.0,
        log => {
            let magnitude = libm::exp2((f64::from(log) + 0.5) / 256.0 - 64.0);
            if code & 0x8000 == 0 { magnitude } else { -magnitude }
        }
    }
}

fn level(linear: f64) -> u8 {
    // The cast saturates: light above 1 is white.
    if linear <= 0.0 { 0 } else { (256.0 * libm::sqrt(linear)) as u8 }
}

/// Returns the encoded Rec. 709 colour of a luminance at chromaticity (u', v').
fn rgb(luminance: f64, [u, v]: [f64; 2]) -> [u8; 3] {
    if luminance <= 0.0 {
        return [0; 3];
    }
    let scale = 1.0 / (6.0 * u - 16.0 * v + 12.0);
    let (x, y) = (9.0 * u * scale, 4.0 * v * scale);
    let xyz = [x / y * luminance, luminance, (1.0 - x - y) / y * luminance];
    const FROM_XYZ: [[f64; 3]; 3] = [[2.690, -1.276, -0.414], [-1.022, 1.978, 0.044], [0.061, -0.224, 1.163]];
    FROM_XYZ.map(|row| level(row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2]))
}

/// Converts a code of 16 bits: luminance only.
pub(super) fn gray(code: u16) -> u8 {
    level(luminance(code.into()))
}

/// Converts a code of 32 bits: 16 of luminance, 8 of u', 8 of v'.
pub(super) fn rgb32(code: u32) -> [u8; 3] {
    let chroma = |code: u32| (f64::from(code & 0xFF) + 0.5) / 410.0;
    rgb(luminance(code >> 16), [chroma(code >> 8), chroma(code)])
}

/// Converts a code of 24 bits: 10 of luminance, 14 for the number of a square of the visible chromaticities, counted
/// row by row.
pub(super) fn rgb24(code: u32) -> [u8; 3] {
    let log = code >> 14 & 0x3FF;
    let luminance = if log == 0 { 0.0 } else { libm::exp2((f64::from(log) + 0.5) / 64.0 - 12.0) };
    rgb(luminance, chromaticity(code & 0x3FFF))
}

/// Returns the middle of a square of the table.
fn chromaticity(index: u32) -> [f64; 2] {
    const SIDE: f64 = 0.0035;
    const FIRST_V: f64 = 0.016_940;
    let mut before = 0;
    for (row, &(first_u, count)) in ROWS.iter().enumerate() {
        let within = index - before;
        if within < u32::from(count) {
            return [f64::from(first_u) + (f64::from(within) + 0.5) * SIDE, FIRST_V + (row as f64 + 0.5) * SIDE];
        }
        before += u32::from(count);
    }
    NEUTRAL
}
