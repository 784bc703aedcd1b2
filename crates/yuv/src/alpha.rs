//! Alpha, which files store as the luma of a picture of its own.

use raster::{Depth, PixelFormat};

/// Writes a row of alpha, of `depth` bits a sample, into a row of pixels that end with alpha.
pub fn put_alpha(alpha: &[u16], depth: u8, is_full_range: bool, pixels: PixelFormat, out: &mut [u8]) {
    let (bytes, len) = (pixels.depth.bytes(), pixels.bytes());
    let unit = 1_u64 << (depth - 8);
    let (zero, span) = if is_full_range { (0, 256 * unit - 1) } else { (16 * unit, 219 * unit) };
    let most = u64::from(pixels.depth.max());
    for (&sample, pixel) in alpha.iter().zip(out.chunks_exact_mut(len)) {
        let value = (2 * u64::from(sample).saturating_sub(zero) * most + span) / (2 * span);
        let value = value.min(most) as u16;
        pixel[len - bytes..].copy_from_slice(&value.to_le_bytes()[..bytes]);
    }
}

/// Divides the colours of a row by alpha, which is the last sample of each pixel. Pixels without opacity become black.
pub fn unpremultiply(pixels: PixelFormat, row: &mut [u8]) {
    match pixels.depth {
        Depth::Eight => {
            for pixel in row.chunks_exact_mut(pixels.bytes()) {
                let Some((&mut alpha, colors)) = pixel.split_last_mut() else { continue };
                for color in colors {
                    *color = divided(u16::from(*color), alpha.into(), 255) as u8;
                }
            }
        }
        Depth::Sixteen => {
            for pixel in row.chunks_exact_mut(pixels.bytes()) {
                let (samples, _) = pixel.as_chunks_mut::<2>();
                let Some((alpha, colors)) = samples.split_last_mut() else { continue };
                for color in colors {
                    *color = divided(u16::from_le_bytes(*color), u16::from_le_bytes(*alpha), 65_535).to_le_bytes();
                }
            }
        }
    }
}

fn divided(color: u16, alpha: u16, most: u32) -> u16 {
    let (color, alpha) = (u64::from(color), u64::from(alpha));
    let quotient = (2 * color * u64::from(most) + alpha).checked_div(2 * alpha).unwrap_or(0);
    quotient.min(most.into()) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Channels;

    #[test]
    fn alpha_of_any_depth_and_range_is_the_last_sample() {
        let gray_alpha = PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen);
        for (depth, is_full_range, stored, wanted) in [
            (8, true, [0, 128, 255], [0, 32_896, 65_535]),
            (10, true, [0, 512, 1023], [0, 32_800, 65_535]),
            (12, false, [0, 16 << 4, 235 << 4], [0, 0, 65_535]),
            (8, false, [255, 15, 126], [65_535, 0, 32_917]),
        ] {
            let mut row = vec![7; 12];
            put_alpha(&stored, depth, is_full_range, gray_alpha, &mut row);
            let samples: Vec<u16> = row.as_chunks().0.iter().map(|sample| u16::from_le_bytes(*sample)).collect();
            assert_eq!(samples, [0x0707, wanted[0], 0x0707, wanted[1], 0x0707, wanted[2]], "{depth} {is_full_range}");
        }
    }

    #[test]
    fn colours_are_divided_by_alpha() {
        let mut row = [10, 20, 128, 128, 90, 90, 90, 0, 200, 100, 0, 255];
        unpremultiply(PixelFormat::RGBA8, &mut row);
        assert_eq!(row, [20, 40, 255, 128, 0, 0, 0, 0, 200, 100, 0, 255]);
        let mut row: Vec<u8> = [100_u16, 65_535, 32_768].into_iter().flat_map(u16::to_le_bytes).collect();
        row.truncate(4);
        unpremultiply(PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen), &mut row);
        assert_eq!(row, [100, 0, 255, 255]);
    }
}
