//! Conversion of colours with a profile to sRGB, for pictures that cannot keep their profile: CMYK pictures and
//! pictures for formats without profiles. All other pictures keep their samples and their profile.
//!
//! `moxcms` does the arithmetic; no other crate names it. Its vector code is switched off, because it gives different
//! bytes on different processors.
//!
//! ```
//! use color::{P3_D65, ToSrgb, is_srgb, rgb_profile, transfer};
//! use raster::{Budget, Channels, Limits, Transfer};
//!
//! let icc = rgb_profile("Display P3", &P3_D65, &Transfer::Srgb).expect("the primaries span a space");
//! assert!(!is_srgb(&icc));
//! assert_eq!(transfer(&icc, true), Some(Transfer::Srgb));
//!
//! // A grey keeps its value; a red is stronger in sRGB, which is the smaller space.
//! let mut to_srgb = ToSrgb::new(&icc, Channels::Rgb, 2, &Budget::new(&Limits::default()))?.expect("a sound profile");
//! let mut row = [0; 6];
//! to_srgb.row(&[30_000, 30_000, 30_000, 40_000, 20_000, 20_000], &mut row)?;
//! assert!(row[..3].iter().all(|sample| sample.abs_diff(30_000) < 64));
//! assert!(row[3] > 40_000 && row[4] < 20_000);
//! # Ok::<(), raster::Error>(())
//! ```

mod curve;
mod matrix_profile;

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, Transform16BitExecutor, TransformOptions};
use raster::{Budget, Channels, Error, Result};

pub use curve::transfer;
pub use matrix_profile::{BT_709, BT_2020, Chromaticities, P3_D65, gray_profile, rgb_profile};

/// Memory of a transform of curves and a matrix, rounded up: tables of 2¹⁶ entries for three input and three output
/// channels.
const TABLES: u64 = 4 << 20;

/// Memory of `moxcms` for each byte of a profile. A transform holds one lookup table of the profile as f32, which is at
/// most four bytes for a byte. While the profile is parsed, up to seven more tables exist; each is a copy, and several
/// may be made of the same bytes.
const TRANSFORM_PER_BYTE: u64 = 4;
const PARSED_PER_BYTE: u64 = 7;

/// A converter of rows of 16-bit samples to sRGB.
pub struct ToSrgb {
    transform: Arc<Transform16BitExecutor>,
    from: Channels,
    /// One row in the output channels of `moxcms`, used when they differ from the channels of the result.
    wide: Vec<u16>,
}

impl ToSrgb {
    /// Creates a converter of rows of `width` pixels of `from` under the profile `icc`. Returns `None` when the profile
    /// is broken, is for other channels than `from`, or is of an unsupported kind.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for the tables.
    pub fn new(icc: &[u8], from: Channels, width: u32, budget: &Budget) -> Result<Option<Self>> {
        let (space, layout) = match from {
            Channels::Gray => (DataColorSpace::Gray, Layout::Gray),
            Channels::GrayAlpha => (DataColorSpace::Gray, Layout::GrayAlpha),
            Channels::Rgb => (DataColorSpace::Rgb, Layout::Rgb),
            Channels::Rgba => (DataColorSpace::Rgb, Layout::Rgba),
        };
        let Some(transform) = paid_transform(icc, space, layout, budget)? else { return Ok(None) };
        // `moxcms` converts grey to three equal colours.
        let wide = if from.has_color() { 0 } else { u64::from(width) * out_channels(from) as u64 };
        Ok(Some(Self { transform, from, wide: budget.filled(wide, 0)? }))
    }

    /// Creates a converter of CMYK rows to RGB. Returns `None` when the profile is broken or not for CMYK.
    ///
    /// # Errors
    /// As [`ToSrgb::new`].
    pub fn of_inks(icc: &[u8], budget: &Budget) -> Result<Option<Self>> {
        // The layout only sets the number of channels, four; the profile's space states that they are inks.
        let transform = paid_transform(icc, DataColorSpace::Cmyk, Layout::Rgba, budget)?;
        Ok(transform.map(|transform| Self { transform, from: Channels::Rgb, wide: Vec::new() }))
    }

    /// Converts one row. Inks become red, green and blue; other pixels keep their channels. `into` has as many pixels
    /// as `row`; alpha is copied.
    ///
    /// # Errors
    /// `Contradiction` when the rows do not have the length for which the transform was made.
    pub fn row(&mut self, row: &[u16], into: &mut [u16]) -> Result<()> {
        let into_wide = if self.wide.is_empty() { &mut *into } else { &mut self.wide[..] };
        // The error is returned because the buffer would otherwise keep the previous row.
        self.transform
            .transform(row, into_wide)
            .map_err(|_| Error::Contradiction("a row of another length than the colours' transform"))?;
        match self.from {
            Channels::Gray => pick::<3, 1>(&self.wide, into, [1]),
            Channels::GrayAlpha => pick::<4, 2>(&self.wide, into, [1, 3]),
            _ => {}
        }
        Ok(())
    }
}

/// Copies the samples at `which` of each pixel of `FROM` samples.
fn pick<const FROM: usize, const TO: usize>(from: &[u16], into: &mut [u16], which: [usize; TO]) {
    for (from, into) in from.as_chunks::<FROM>().0.iter().zip(into.as_chunks_mut::<TO>().0) {
        *into = which.map(|channel| from[channel]);
    }
}

/// Returns the number of samples of a pixel in the output of the transform.
const fn out_channels(from: Channels) -> usize {
    if from.has_alpha() { 4 } else { 3 }
}

/// Creates the transform to sRGB, after the budget was charged for it and for parsing the profile.
fn paid_transform(
    icc: &[u8],
    space: DataColorSpace,
    layout: Layout,
    budget: &Budget,
) -> Result<Option<Arc<Transform16BitExecutor>>> {
    let bytes = icc.len() as u64;
    budget.charge(TABLES + TRANSFORM_PER_BYTE * bytes)?;
    let parsing = budget.scope();
    parsing.charge(PARSED_PER_BYTE * bytes)?;
    Ok(transform(icc, space, layout))
}

fn transform(icc: &[u8], space: DataColorSpace, layout: Layout) -> Option<Arc<Transform16BitExecutor>> {
    let profile = ColorProfile::new_from_slice(icc).ok()?;
    if profile.color_space != space {
        return None;
    }
    let has_alpha = matches!(layout, Layout::GrayAlpha | Layout::Rgba) && space != DataColorSpace::Cmyk;
    let out = if has_alpha { Layout::Rgba } else { Layout::Rgb };
    let options = TransformOptions { prefer_fixed_point: false, ..TransformOptions::default() };
    profile.create_transform_16bit(layout, &ColorProfile::new_srgb(), out, options).ok()
}

/// Whether pictures under this RGB profile look the same without it: no colour of a grid moves by more than half a
/// level of eight bits.
#[must_use]
pub fn is_srgb(icc: &[u8]) -> bool {
    const STEPS: [u16; 6] = [0, 0x1000, 0x4000, 0x8000, 0xC000, 0xFFFF];
    let Some(transform) = transform(icc, DataColorSpace::Rgb, Layout::Rgb) else { return false };
    let grid: Vec<u16> = STEPS
        .into_iter()
        .flat_map(|r| STEPS.into_iter().flat_map(move |g| STEPS.map(|b| [r, g, b])))
        .flatten()
        .collect();
    let mut seen = vec![0; grid.len()];
    transform.transform(&grid, &mut seen).is_ok() && grid.iter().zip(seen).all(|(&a, b)| a.abs_diff(b) <= 128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    #[test]
    fn the_budget_is_charged_before_the_tables_of_a_profile_are_made() {
        let profile = vec![0; 8 << 20];
        let small = Budget::new(&Limits { memory: 32 << 20 });
        let refused = ToSrgb::of_inks(&profile, &small).err().map(|error| error.code());
        assert_eq!(refused, Some("memory"), "a table of 8 MiB has 32 MiB as f32");
        assert_eq!(small.used(), 0);
        let large = Budget::new(&Limits::default());
        assert!(ToSrgb::of_inks(&profile, &large).unwrap().is_none(), "zeros are no profile");
    }

    #[test]
    fn a_row_of_another_length_is_an_error() {
        let icc = ColorProfile::new_srgb().encode().unwrap();
        let budget = Budget::new(&Limits::default());
        let mut to_srgb = ToSrgb::new(&icc, Channels::Rgb, 2, &budget).unwrap().unwrap();
        let mut into = [7; 6];
        assert!(to_srgb.row(&[1, 2, 3, 4, 5, 6], &mut into).is_ok());
        assert_eq!(to_srgb.row(&[1, 2, 3], &mut into).unwrap_err().code(), "contradiction");
    }
}
