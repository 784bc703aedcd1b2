//! The plan of one part of a job for its frame: all decisions and no work. `stages` derives the stages from a plan.

use color::is_srgb;
use raster::transfer::Transfer;
use raster::{
    Channels, Depth, FormatTraits, FrameHeader, FrameInfo, Orientation, PixelFormat, Rect, Result, RowFormat, Size, icc,
};
use resample::{Area, Filter, Window};

use crate::crop::reduced;
use crate::job::{Canvas, Job, LightChoice, Part, ProfileChoice, Sharpening};
use crate::light::{self, Light};

/// One part of a job, resolved for its frame.
///
/// `crop` and `target` refer to the stored picture, because the picture is turned upright after the resampler.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// The frame as its reader describes it.
    pub(crate) frame: FrameInfo,
    /// The pixels of the frame that are kept, as its rows come.
    pub(crate) crop: Rect,
    /// The kept part of these pixels; only if the frame is reduced, it is less than all.
    pub(crate) area: Area,
    /// The part of the picture that is made, and the part of the crop that it is made of; `None` for all.
    pub(crate) window: Option<Window>,
    /// The size after resampling.
    pub(crate) target: Size,
    pub(crate) filter: Filter,
    pub(crate) light: Light,
    /// The sharpening after resampling; off for a picture that does not get smaller.
    pub(crate) sharpening: Sharpening,
    /// The handling of the colour profile.
    pub(crate) colors: Colors,
    /// The background of transparent areas, or `None` when the picture has no alpha or keeps it.
    pub(crate) background: Option<[u8; 3]>,
    pub(crate) canvas: Option<Canvas>,
    /// The pixel format of the written picture.
    pub(crate) output: PixelFormat,
}

/// The handling of a picture's colour profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    /// There is no profile, or it is sRGB's and can be left out.
    Plain,
    /// The profile is written to the output.
    Carried,
    /// The pixels are converted to sRGB.
    Converted,
    /// The profile can neither be written nor be used for a conversion: it is dropped with a warning.
    Dropped,
}

impl Plan {
    /// Plans `part` of `job` for a frame with the colour profile `icc`.
    ///
    /// # Errors
    /// Errors of [`Part::check`].
    pub(crate) fn new(frame: &FrameInfo, icc: Option<&[u8]>, job: &Job, part: &Part) -> Result<Self> {
        part.check(frame.orientation.turn(frame.full_size))?;
        let frame = FrameInfo { orientation: frame.orientation.then(part.turn), ..*frame };
        let kept = frame.orientation.stored_rect(part.crop, frame.full_size);
        let (crop, area) = reduced(kept, frame.reduction);
        let target = frame.orientation.turn(part.target);
        let wanted = with_canvas(frame.row_format.in_colors(), part.canvas);
        let possible = job.encoding.traits().storable(if job.flatten { flattened(wanted) } else { wanted });
        let loses_alpha = wanted.channels.has_alpha() && !possible.channels.has_alpha();
        let background = loses_alpha.then_some(job.background);
        // A coloured background requires colour, even for grey pictures.
        let has_color = possible.channels.has_color() || background.is_some_and(|color| !is_gray(color));
        let output = PixelFormat::new(Channels::new(has_color, possible.channels.has_alpha()), possible.depth);
        let carried = icc.and_then(|icc| carried_profile(icc, job.encoding.traits(), output.channels));
        let keeps = carried.is_some() && job.profile == ProfileChoice::Keep;
        let colors = choose_colors(icc, frame.row_format, keeps);
        let is_smaller = target.area() < kept.size().area();
        let sharpening = if is_smaller { job.sharpening } else { Sharpening::Off };
        // The depth behind the resampler is 16 bit when a later stage rounds.
        let rounds_later = background.is_some() || colors == Colors::Converted || sharpening != Sharpening::Off;
        let depth = if rounds_later { Depth::Sixteen } else { output.depth };
        let transfer = || transfer_of(icc, frame.row_format, depth);
        Ok(Self {
            frame,
            crop,
            area,
            window: None,
            target,
            filter: Filter { kernel: job.kernel, ringing: job.ringing },
            light: choose_light(job.light, kept.size(), target, transfer),
            sharpening,
            colors,
            background,
            canvas: part.canvas,
            output,
        })
    }

    /// Returns the frame's pixel format after inks are converted to RGB.
    pub(crate) const fn stored(&self) -> PixelFormat {
        self.frame.row_format.in_colors()
    }

    /// Whether the pixels of the frame are inks.
    pub(crate) const fn has_inks(&self) -> bool {
        matches!(self.frame.row_format, RowFormat::Inks { .. })
    }

    /// Whether every pixel of the picture stays the same, including colour under alpha 0.
    pub(crate) fn keeps_pixels(&self) -> bool {
        let is_converted = self.colors == Colors::Converted && !self.has_inks();
        self.area == Area::whole(self.target) && self.stored() == self.output && !is_converted
    }

    /// Returns the pixel format between the resampler and the stages that change it: 16 bit, so that the
    /// result is rounded once.
    pub(crate) const fn working(&self) -> PixelFormat {
        let stored = self.stored().channels;
        let has_alpha = stored.has_alpha() || self.output.channels.has_alpha();
        PixelFormat::new(Channels::new(stored.has_color(), has_alpha), Depth::Sixteen)
    }

    /// Returns the number of rows of the frame that are read; rows below the crop are not read.
    pub(crate) fn rows_read(&self) -> u64 {
        let read = self.read();
        u64::from(read.y) + u64::from(read.height)
    }

    /// Returns the size of the written picture.
    pub(crate) const fn output_size(&self) -> Size {
        match self.canvas {
            Some(canvas) => canvas.size,
            None => self.frame.orientation.turn(self.target),
        }
    }

    /// Returns the header of the written picture for its writer. `is_still` states that it is the only one: a still
    /// picture has no delay, even when it comes from an animation.
    pub(crate) fn header(&self, is_still: bool) -> FrameHeader {
        FrameHeader {
            size: self.output_size(),
            pixels: self.output,
            orientation: Orientation::Upright,
            delay: self.frame.delay.filter(|_| !is_still),
        }
    }
}

/// Returns the pixel format that stores the picture and its canvas without loss.
fn with_canvas(picture: PixelFormat, canvas: Option<Canvas>) -> PixelFormat {
    let Some(Canvas { color: [r, g, b, a], .. }) = canvas else { return picture };
    let has_color = picture.channels.has_color() || !is_gray([r, g, b]);
    PixelFormat::new(Channels::new(has_color, picture.channels.has_alpha() || a < 255), picture.depth)
}

/// Returns the pixel format after transparent pixels got a background, which rounds to 8 bits.
const fn flattened(pixels: PixelFormat) -> PixelFormat {
    if pixels.channels.has_alpha() {
        PixelFormat::new(Channels::new(pixels.channels.has_color(), false), Depth::Eight)
    } else {
        pixels
    }
}

fn is_gray([r, g, b]: [u8; 3]) -> bool {
    r == g && g == b
}

/// Returns the handling of the profile `icc`; `keeps` states that colours keep it.
fn choose_colors(icc: Option<&[u8]>, frame: RowFormat, keeps: bool) -> Colors {
    let Some(icc) = icc else { return Colors::Plain };
    match frame {
        RowFormat::Inks { .. } => Colors::Converted,
        RowFormat::Colors(_) if keeps => Colors::Carried,
        RowFormat::Colors(stored) if stored.channels.has_color() && is_srgb(icc) => Colors::Plain,
        RowFormat::Colors(_) => Colors::Converted,
    }
}

/// Returns the profile, if the output supports it and has its channels.
pub(crate) fn carried_profile<'a>(icc: &'a [u8], traits: &FormatTraits, channels: Channels) -> Option<&'a [u8]> {
    icc::sound(icc, traits.profile_space(channels)?)
}

/// Resolves the user's choice. A picture that keeps its size is not averaged, and encoded values are the cheapest.
fn choose_light(choice: LightChoice, from: Size, to: Size, transfer: impl FnOnce() -> Transfer) -> Light {
    match choice {
        _ if from == to => Light::Encoded,
        LightChoice::Linear => Light::Linear(transfer()),
        LightChoice::Encoded => Light::Encoded,
        LightChoice::Auto if to.area() < from.area() => Light::Linear(transfer()),
        LightChoice::Auto => Light::Encoded,
    }
}

/// Returns the transfer function of the picture's own profile, or sRGB's. Inks are sRGB after their conversion,
/// pictures without a profile are treated as sRGB, and a curve that the tables of a depth do not support is ignored.
fn transfer_of(icc: Option<&[u8]>, frame: RowFormat, depth: Depth) -> Transfer {
    let own = match (icc, frame) {
        (Some(icc), RowFormat::Colors(pixels)) => color::transfer(icc, pixels.channels.has_color()),
        _ => None,
    };
    own.filter(|transfer| light::fits(transfer, depth)).unwrap_or(Transfer::Srgb)
}

#[cfg(test)]
pub(crate) mod tests;
