//! Colours of one profile as sRGB, for pictures whose profile cannot go where they go: inks, and formats without
//! profiles. Everything else keeps its samples and its profile.
//!
//! `moxcms` does the arithmetic; no other crate names it. Its vector code is switched off, since it gives other bytes on
//! other processors.

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, Transform16BitExecutor, TransformOptions};
use raster::{Budget, Channels, Result};

/// What `moxcms` holds for a transform, generously: tables of 2¹⁶ entries for three channels in and out, or a grid of
/// 17⁴ points.
const TABLES: u64 = 4 << 20;

/// Turns rows of 16-bit samples into rows of sRGB.
pub struct ToSrgb {
    transform: Arc<Transform16BitExecutor>,
    from: Channels,
    /// Colours as `moxcms` gives them, where they are not laid out as wanted.
    wide: Vec<u16>,
}

impl ToSrgb {
    /// For rows of `width` pixels of `from` under the profile `icc`; nothing when the profile is broken, for other
    /// channels than those, or of a kind that cannot be reckoned with.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for the tables.
    pub fn new(icc: &[u8], from: Channels, width: u32, budget: &Budget) -> Result<Option<Self>> {
        budget.charge(TABLES)?;
        let (space, layout) = match from {
            Channels::Gray => (DataColorSpace::Gray, Layout::Gray),
            Channels::GrayAlpha => (DataColorSpace::Gray, Layout::GrayAlpha),
            Channels::Rgb => (DataColorSpace::Rgb, Layout::Rgb),
            Channels::Rgba => (DataColorSpace::Rgb, Layout::Rgba),
        };
        let Some(transform) = transform(icc, space, layout) else { return Ok(None) };
        // Greys come out as three equal colours.
        let wide = if from.has_color() { 0 } else { u64::from(width) * out_channels(from) as u64 };
        Ok(Some(Self { transform, from, wide: budget.filled(wide, 0)? }))
    }

    /// For rows of cyan, magenta, yellow and black, which become red, green and blue; nothing when the profile is broken
    /// or not for inks.
    ///
    /// # Errors
    /// As [`ToSrgb::new`].
    pub fn of_inks(icc: &[u8], budget: &Budget) -> Result<Option<Self>> {
        budget.charge(TABLES)?;
        // Four channels; the profile's space says that they are inks.
        let transform = transform(icc, DataColorSpace::Cmyk, Layout::Rgba);
        Ok(transform.map(|transform| Self { transform, from: Channels::Rgb, wide: Vec::new() }))
    }

    /// Converts one row. Inks become red, green and blue; other pixels keep their channels. `into` has as many pixels as
    /// `row`; alpha passes through.
    pub fn row(&mut self, row: &[u16], into: &mut [u16]) {
        let into_wide = if self.wide.is_empty() { &mut *into } else { &mut self.wide[..] };
        // The shapes were settled with the transform; a refusal would leave the row as it was before.
        if self.transform.transform(row, into_wide).is_err() {
            debug_assert!(false, "a row of another length");
        }
        match self.from {
            Channels::Gray => pick::<3, 1>(&self.wide, into, [1]),
            Channels::GrayAlpha => pick::<4, 2>(&self.wide, into, [1, 3]),
            _ => {}
        }
    }
}

/// Of each pixel of `FROM` samples those at `which`.
fn pick<const FROM: usize, const TO: usize>(from: &[u16], into: &mut [u16], which: [usize; TO]) {
    for (from, into) in from.as_chunks::<FROM>().0.iter().zip(into.as_chunks_mut::<TO>().0) {
        *into = which.map(|channel| from[channel]);
    }
}

/// Samples of a pixel as they leave the transform.
const fn out_channels(from: Channels) -> usize {
    if from.has_alpha() { 4 } else { 3 }
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

/// Whether pictures under this RGB profile look the same without it: none of a grid of colours moves by more than half
/// a level of eight bits.
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
