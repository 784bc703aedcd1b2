//! YCbCr to RGB by TIFF 6.0 §20 and §21: ReferenceBlackWhite converts codes to luma and chroma, the weights of the
//! primaries convert them to RGB. The arithmetic is 16-bit fixed point with tables of the 256 codes.

use super::meaning::YCbCr;

const ONE: f64 = 65_536.0;

#[derive(Clone, Debug)]
pub(super) struct Table {
    luma: [i32; 256],
    red: [i32; 256],
    green_cb: [i32; 256],
    green_cr: [i32; 256],
    blue: [i32; 256],
}

impl Table {
    pub(super) fn new(code: &YCbCr) -> Self {
        let [r, g, b] = code.luma;
        let [y0, y1, cb0, cb1, cr0, cr1] = code.reference;
        // An empty range would divide by zero.
        let scale = |full: f64, from: f64, to: f64| full / if to == from { 1.0 } else { to - from };
        let table = |factor: f64, zero: f64| {
            core::array::from_fn(|v| {
                let exact = (v as f64 - zero) * factor * ONE;
                // Extreme references would overflow the sums; no valid value exceeds the limits.
                exact.clamp(-4096.0 * ONE, 4096.0 * ONE) as i32
            })
        };
        let (cb, cr) = (scale(127.0, cb0, cb1), scale(127.0, cr0, cr1));
        Self {
            luma: table(scale(255.0, y0, y1), y0),
            red: table(cr * (2.0 - 2.0 * r), cr0),
            green_cr: table(-cr * r * (2.0 - 2.0 * r) / g, cr0),
            green_cb: table(-cb * b * (2.0 - 2.0 * b) / g, cb0),
            blue: table(cb * (2.0 - 2.0 * b), cb0),
        }
    }

    #[inline(always)]
    pub(super) fn rgb(&self, [y, cb, cr]: [u8; 3]) -> [u8; 3] {
        let (y, cb, cr) = (self.luma[usize::from(y)], usize::from(cb), usize::from(cr));
        let sums = [self.red[cr], self.green_cb[cb] + self.green_cr[cr], self.blue[cb]];
        sums.map(|sum| ((y + sum + 0x8000) >> 16).clamp(0, 255) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_jfif() {
        let code = YCbCr {
            across: 1,
            down: 1,
            luma: [0.299, 0.587, 0.114],
            reference: [0.0, 255.0, 128.0, 255.0, 128.0, 255.0],
        };
        let table = Table::new(&code);
        let cases = [
            ([0, 128, 128], [0, 0, 0]),
            ([255, 128, 128], [255, 255, 255]),
            ([76, 85, 255], [254, 0, 0]),
            ([150, 44, 21], [0, 255, 1]),
        ];
        for (code, want) in cases {
            assert_eq!(table.rgb(code), want, "{code:?}");
        }
    }

    #[test]
    fn studio_range_is_scaled_to_full_range() {
        let code = YCbCr {
            across: 1,
            down: 1,
            luma: [0.2126, 0.7152, 0.0722],
            reference: [16.0, 235.0, 128.0, 240.0, 128.0, 240.0],
        };
        let table = Table::new(&code);
        assert_eq!([[16, 128, 128], [235, 128, 128]].map(|code| table.rgb(code)), [[0; 3], [255; 3]]);
    }

    #[test]
    fn extreme_references_do_not_overflow() {
        let code = YCbCr { across: 1, down: 1, luma: [0.001; 3], reference: [1e300, -1e300, 0.0, 1e-300, 5.0, 5.0] };
        let table = Table::new(&code);
        for v in 0..=255 {
            let _ = table.rgb([v, 255 - v, v]);
        }
    }
}
