//! The kernels: functions that give the weight of a source pixel by its distance from the target pixel's centre.

use core::f64::consts::PI;

raster::choices! {
    /// The function that weighs neighbouring pixels.
    pub enum Kernel: default Lanczos3 {
        /// Sinc windowed by its own first three lobes: the sharpest, for photographs.
        Lanczos3 = "lanczos3",
        /// Two lobes: a little softer, with less ringing.
        Lanczos2 = "lanczos2",
        /// The cubic of Mitchell and Netravali (1988) with B = C = 1/3: soft, with hardly any ringing.
        Mitchell = "mitchell",
        /// The interpolating cubic: B = 0, C = 1/2.
        CatmullRom = "catmull-rom",
        /// The triangle: linear interpolation when enlarging; when shrinking it is widened as every kernel is.
        Bilinear = "bilinear",
        /// The mean of the source pixels that a target pixel covers.
        Box = "box",
        /// The one source pixel whose centre is nearest (on a tie the one to the right or below), for pixel art.
        Nearest = "nearest",
    }
}

impl Kernel {
    /// Returns the definition of the kernel. No other place distinguishes kernels.
    const fn definition(self) -> Definition {
        match self {
            Self::Lanczos3 => Definition { width: 6, function: |x| lanczos(x, 3.0) },
            Self::Lanczos2 => Definition { width: 4, function: |x| lanczos(x, 2.0) },
            Self::Mitchell => Definition { width: 4, function: |x| cubic(x, 1.0 / 3.0, 1.0 / 3.0) },
            Self::CatmullRom => Definition { width: 4, function: |x| cubic(x, 0.0, 0.5) },
            Self::Bilinear => Definition { width: 2, function: |x| (1.0 - x).max(0.0) },
            Self::Box | Self::Nearest => Definition { width: 1, function: rectangle },
        }
    }

    /// Returns the width of the interval outside which the kernel is zero. It is twice the support and a whole number
    /// for every kernel.
    pub(crate) const fn width(self) -> u32 {
        self.definition().width
    }

    /// Whether some of the kernel's values are below zero: those of every kernel that is wider than the triangle.
    pub(crate) const fn has_negative_lobes(self) -> bool {
        self.width() > 2
    }

    /// Returns the kernel's value at distance `x`, not normalised. The function is symmetric to the bit.
    pub(crate) fn at(self, x: f64) -> f64 {
        (self.definition().function)(x.abs())
    }
}

/// The definition of a kernel as data.
struct Definition {
    /// See [`Kernel::width`].
    width: u32,
    /// The value at a distance of 0 or more.
    function: fn(f64) -> f64,
}

/// Returns 1 up to a distance of ½. At ½ exactly, a pixel's centre lies between two targets, and each target gets a
/// half. Therefore a mirrored picture gives the mirrored result.
fn rectangle(x: f64) -> f64 {
    if x == 0.5 { 0.5 } else { f64::from(x < 0.5) }
}

/// Returns sin(πx)/(πx), computed by `libm`, which gives the same result on every machine.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { libm::sin(PI * x) / (PI * x) }
}

fn lanczos(x: f64, lobes: f64) -> f64 {
    if x < lobes { sinc(x) * sinc(x / lobes) } else { 0.0 }
}

/// Returns the value of Mitchell and Netravali's equation 8.
fn cubic(x: f64, b: f64, c: f64) -> f64 {
    let sixth = 1.0 / 6.0;
    if x < 1.0 {
        sixth * ((12.0 - 9.0 * b - 6.0 * c) * x * x * x + (-18.0 + 12.0 * b + 6.0 * c) * x * x + (6.0 - 2.0 * b))
    } else if x < 2.0 {
        let cube = (-b - 6.0 * c) * x * x * x;
        sixth * (cube + (6.0 * b + 30.0 * c) * x * x + (-12.0 * b - 48.0 * c) * x + (8.0 * b + 24.0 * c))
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_found_by_its_name() {
        for kernel in Kernel::ALL {
            assert_eq!(Kernel::from_name(kernel.name()), Some(kernel));
        }
        assert_eq!(Kernel::from_name("lanczos"), None);
    }

    #[test]
    fn kernels_are_symmetric_and_vanish_outside_their_width() {
        for kernel in Kernel::ALL {
            let support = f64::from(kernel.width()) / 2.0;
            for i in 0..400 {
                let x = f64::from(i) / 100.0;
                assert_eq!(kernel.at(x), kernel.at(-x));
                assert!(x <= support || kernel.at(x) == 0.0, "{kernel:?} at {x}");
            }
        }
    }

    /// The expected values were computed by hand from the formulas.
    #[test]
    fn kernels_have_their_known_values() {
        let table = [
            (Kernel::Lanczos3, 0.0, 1.0),
            (Kernel::Lanczos3, 1.5, -0.135_095),
            (Kernel::Lanczos2, 0.5, 0.573_159),
            (Kernel::Mitchell, 0.0, 8.0 / 9.0),
            (Kernel::Mitchell, 1.0, 1.0 / 18.0),
            (Kernel::CatmullRom, 0.5, 0.5625),
            (Kernel::CatmullRom, 1.5, -0.0625),
            (Kernel::Bilinear, 0.25, 0.75),
            (Kernel::Box, 0.25, 1.0),
            (Kernel::Box, 0.5, 0.5),
        ];
        for (kernel, x, want) in table {
            assert!((kernel.at(x) - want).abs() < 1e-6, "{kernel:?} at {x}: {}", kernel.at(x));
        }
    }
}
