//! Matrices between RGB and the stored channels, by the numbers of H.273.

/// The relation of the stored channels to red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matrix {
    /// The channels are green, blue and red.
    Identity,
    /// Luma, then the differences of green and of orange.
    GreenOrange,
    /// Luma is `red · R + green · G + blue · B`; chroma are the differences of blue and of red.
    Weights {
        /// The share of red in luma.
        red: f64,
        /// The share of blue in luma.
        blue: f64,
    },
}

impl Matrix {
    /// The matrix of BT.601.
    pub const BT_601: Self = Self::Weights { red: 0.299, blue: 0.114 };

    /// Returns the matrix of that number. "Not stated" is BT.601, as in JPEG. `None` for numbers that are reserved, and
    /// for those whose conversion needs the transfer function (10, 13, 14) or more (11, 15 and above).
    #[must_use]
    pub fn new(matrix: u16, primaries: u16) -> Option<Self> {
        Some(match matrix {
            0 => Self::Identity,
            1 => Self::Weights { red: 0.2126, blue: 0.0722 },
            2 | 5 | 6 => Self::BT_601,
            4 => Self::Weights { red: 0.3, blue: 0.11 },
            7 => Self::Weights { red: 0.212, blue: 0.087 },
            8 => Self::GreenOrange,
            9 => Self::Weights { red: 0.2627, blue: 0.0593 },
            12 => Self::of_primaries(primaries)?,
            _ => return None,
        })
    }

    /// The shares of red and blue in the luminance of white (H.273, equations 32 to 37).
    fn of_primaries(primaries: u16) -> Option<Self> {
        const D65: [f64; 2] = [0.3127, 0.3290];
        const C: [f64; 2] = [0.310, 0.316];
        let ([red, green, blue], white) = match primaries {
            1 => ([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]], D65),
            4 => ([[0.67, 0.33], [0.21, 0.71], [0.14, 0.08]], C),
            5 => ([[0.64, 0.33], [0.29, 0.60], [0.15, 0.06]], D65),
            6 | 7 => ([[0.63, 0.34], [0.31, 0.595], [0.155, 0.07]], D65),
            8 => ([[0.681, 0.319], [0.243, 0.692], [0.145, 0.049]], C),
            9 => ([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]], D65),
            11 => ([[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]], [0.314, 0.351]),
            12 => ([[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]], D65),
            22 => ([[0.63, 0.34], [0.295, 0.605], [0.155, 0.077]], D65),
            _ => return None,
        };
        // Each colour as X, Y, Z at luminance y; the white is a sum of the three with weights.
        let xyz = |[x, y]: [f64; 2]| [x, y, 1.0 - x - y];
        let [r, g, b, w] = [red, green, blue, white].map(xyz);
        let all = determinant(r, g, b);
        let share = |columns: f64, y: f64| columns / all * y / w[1];
        Some(Self::Weights { red: share(determinant(w, g, b), r[1]), blue: share(determinant(r, g, w), b[1]) })
    }
}

fn determinant(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_of_primaries_are_the_rounded_ones_of_their_standards() {
        for (primaries, matrix) in [(1, 1), (9, 9)] {
            let (Some(Matrix::Weights { red, blue }), Some(Matrix::Weights { red: wanted_red, blue: wanted_blue })) =
                (Matrix::new(12, primaries), Matrix::new(matrix, 2))
            else {
                panic!("both are weights");
            };
            assert!((red - wanted_red).abs() < 2e-4, "{primaries}: {red}");
            assert!((blue - wanted_blue).abs() < 2e-4, "{primaries}: {blue}");
        }
    }

    #[test]
    fn matrices_that_need_more_than_a_matrix_are_none() {
        for number in [3, 10, 11, 13, 14, 15, 16, 17, 255, 65535] {
            assert_eq!(Matrix::new(number, 9), None, "{number}");
        }
        assert_eq!(Matrix::new(12, 2), None);
        assert_eq!(Matrix::new(2, 2), Some(Matrix::BT_601));
    }
}
