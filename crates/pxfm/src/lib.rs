//! The functions that `moxcms` takes from the crate `pxfm`, from `libm` instead.
//!
//! `pxfm` rounds every result correctly by means of tables, which take 58 kB of the compressed core. `moxcms` computes
//! the curves of profiles with it. They are rounded to 16 bits afterwards, so the error of `libm`, at most one unit in
//! the last place of 64 bits, does not show. The root manifest puts this crate in the place of the other
//! (`[patch.crates-io]`), under its name.
//!
//! Functions of 32 bits are computed in 64 bits and rounded once.

/// Defines functions under the names of `pxfm` by those of `libm`.
macro_rules! from_libm {
    ($($single:ident $double:ident = $libm:ident($($x:ident),+);)*) => {$(
        #[doc = concat!("`libm::", stringify!($libm), "` of 64 bits.")]
        #[must_use]
        #[inline]
        pub fn $double($($x: f64),+) -> f64 {
            libm::$libm($($x),+)
        }

        #[doc = concat!("`libm::", stringify!($libm), "` of 32 bits.")]
        #[must_use]
        #[inline]
        pub fn $single($($x: f32),+) -> f32 {
            libm::$libm($(f64::from($x)),+) as f32
        }
    )*};
}

from_libm! {
    f_atan2f f_atan2 = atan2(y, x);
    f_cbrtf f_cbrt = cbrt(x);
    f_expf f_exp = exp(x);
    f_exp2f f_exp2 = exp2(x);
    f_exp10f f_exp10 = exp10(x);
    f_hypotf f_hypot = hypot(x, y);
    f_logf f_log = log(x);
    f_log2f f_log2 = log2(x);
    f_log10f f_log10 = log10(x);
    f_powf f_pow = pow(base, exponent);
    f_sinf f_sin = sin(x);
}

/// The square root of the sum of three squares.
#[must_use]
pub fn f_hypot3f(x: f32, y: f32, z: f32) -> f32 {
    let [x, y, z] = [x, y, z].map(f64::from);
    libm::sqrt(x * x + y * y + z * z) as f32
}

/// The sine and the cosine.
#[must_use]
pub fn f_sincosf(x: f32) -> (f32, f32) {
    let (sine, cosine) = libm::sincos(x.into());
    (sine as f32, cosine as f32)
}

/// A power; in `pxfm` this is the variant with less precision.
#[must_use]
pub fn dirty_powf(base: f32, exponent: f32) -> f32 {
    f_powf(base, exponent)
}
