//! The list of stages between a frame's rows and its writer, which contains only the stages that the plan needs. The
//! same list is printed in tests and run in jobs.

use core::cell::Cell;
use core::fmt;

use color::ToSrgb;
use raster::{Budget, Depth, Orientation, PixelFormat, Rect, Result, RowFormat, RowReader, Size};
use resample::Resampler;

use crate::canvas::{OnCanvas, stored_color};
use crate::convert::{Convert, Fit};
use crate::crop::Crop;
use crate::emit::Emit;
use crate::flatten::{Flatten, Ground};
use crate::ingest::Ingest;
use crate::inks::{InkFormat, Inks};
use crate::job::{Canvas, Sharpening};
use crate::plan::{Colors, Plan};
use crate::progress::Progress;
use crate::rows::{Rows, Shape, Source};
use crate::sharpen::Sharpen;
use crate::turn::{Mirror, Turn};

/// One stage with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stage {
    /// Cuts a rectangle out of the stored frame.
    Crop(Rect),
    /// Converts inks to RGB.
    Inks(InkFormat),
    /// Converts stored pixels to working pixels, resamples them to this size, and stores them in this format.
    Resample(Size, PixelFormat),
    /// Converts 16-bit pixels to sRGB.
    Convert,
    /// Sharpens 16-bit pixels.
    Sharpen(Sharpening),
    /// Composites 16-bit pixels with alpha over a background, and rounds them.
    Flatten(Ground),
    /// Converts 16-bit pixels to the channels and the depth of the output.
    Fit(PixelFormat),
    /// Turns the picture upright.
    Turn(Orientation),
    /// Places the picture on a canvas, whose colour is this stored pixel.
    Canvas(Canvas, Vec<u8>),
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crop(_) => "crop",
            Self::Inks(_) => "inks",
            Self::Resample(..) => "ingest, resample, emit",
            Self::Convert => "convert",
            Self::Sharpen(_) => "sharpen",
            Self::Flatten(_) => "flatten",
            Self::Fit(_) => "fit",
            Self::Turn(_) => "turn",
            Self::Canvas(..) => "canvas",
        })
    }
}

/// The stages of one part, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stages(Vec<Stage>);

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, stage) in self.0.iter().enumerate() {
            write!(f, "{}{stage}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The resources that running stages need beside their plan.
pub(crate) struct Resources<'a, 'p> {
    /// The conversion, if the plan has one.
    pub(crate) to_srgb: Option<ToSrgb>,
    pub(crate) progress: &'a Progress<'p>,
    pub(crate) budget: &'a Budget,
}

impl Stages {
    /// Returns the stages of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut stages = Vec::new();
        let read = plan.read();
        if read != Rect::whole(plan.frame.size) {
            stages.push(Stage::Crop(read));
        }
        if let RowFormat::Inks { depth, alpha } = plan.frame.row_format {
            stages.push(Stage::Inks(InkFormat { depth, alpha }));
        }
        if !plan.keeps_pixels() {
            stages.extend(resampling(plan));
        }
        if plan.frame.orientation != Orientation::Upright {
            stages.push(Stage::Turn(plan.frame.orientation));
        }
        if let Some(canvas) = plan.canvas {
            stages.push(Stage::Canvas(canvas, stored_color(canvas, plan.background, plan.output)));
        }
        Self(stages)
    }

    /// Opens the stages over a frame's rows and returns the rows of the picture to write. `seen_transparent` is set
    /// when a transparent pixel is composited over the background.
    pub(crate) fn open<'a>(
        self,
        plan: &Plan,
        rows: &'a mut dyn RowReader,
        seen_transparent: &'a Cell<bool>,
        resources: Resources<'a, '_>,
    ) -> Result<Box<dyn Rows + 'a>> {
        let Resources { mut to_srgb, progress, budget } = resources;
        let mut rows: Box<dyn Rows + 'a> = Box::new(Source::new(rows, progress));
        let mut shape = Shape { size: plan.frame.size, pixels: plan.stored() };
        for stage in self.0 {
            rows = match stage {
                Stage::Crop(rect) => {
                    shape.size = rect.size();
                    Box::new(Crop::new(rows, &plan.frame, rect, budget)?)
                }
                Stage::Inks(format) => Box::new(Inks::new(rows, format, shape.size.width, to_srgb.take(), budget)?),
                Stage::Resample(_, pixels) => {
                    let ingest = Ingest::new(rows, shape, &plan.light, budget)?;
                    let geometry = plan.geometry();
                    let window = plan.window.unwrap_or(geometry.whole());
                    shape = Shape { size: window.to.size(), pixels };
                    let resampler = Resampler::of_window(ingest, &geometry, window, budget)?;
                    Box::new(Emit::new(resampler, pixels, &plan.light, budget)?)
                }
                Stage::Convert => match to_srgb.take() {
                    Some(to_srgb) => Box::new(Convert::new(rows, shape, to_srgb, budget)?),
                    None => rows,
                },
                Stage::Sharpen(sharpening) => Box::new(Sharpen::new(rows, shape, sharpening, budget)?),
                Stage::Flatten(ground) => {
                    let rows = Flatten::new(rows, shape, ground, seen_transparent, budget)?;
                    shape.pixels = PixelFormat::new(ground.channels, Depth::Eight);
                    Box::new(rows)
                }
                Stage::Fit(pixels) => {
                    let rows = Fit::new(rows, shape, pixels, budget)?;
                    shape.pixels = pixels;
                    Box::new(rows)
                }
                Stage::Turn(Orientation::FlipHorizontal) => Box::new(Mirror::new(rows, shape)),
                Stage::Turn(orientation) => {
                    let rows = Turn::new(rows, shape, orientation, budget)?;
                    shape.size = orientation.turn(shape.size);
                    Box::new(rows)
                }
                Stage::Canvas(canvas, color) => Box::new(OnCanvas::new(rows, shape, canvas, &color, budget)?),
            };
        }
        Ok(rows)
    }
}

/// Returns the stages that change pixels. Stages behind the resampler do the last rounding, so the resampler passes 16
/// bits to them.
fn resampling(plan: &Plan) -> Vec<Stage> {
    let converts = plan.colors == Colors::Converted && !plan.has_inks();
    // An opaque picture on a transparent canvas has a background too, but only the canvas is composited over it.
    let ground = plan.background.filter(|_| plan.stored().channels.has_alpha());
    let sharpens = plan.sharpening != Sharpening::Off;
    if !converts && !sharpens && ground.is_none() {
        return vec![Stage::Resample(plan.target, plan.output)];
    }
    let mut stages = vec![Stage::Resample(plan.target, plan.working())];
    if converts {
        stages.push(Stage::Convert);
    }
    if sharpens {
        stages.push(Stage::Sharpen(plan.sharpening));
    }
    stages.push(match ground {
        Some(color) => Stage::Flatten(Ground { color, channels: plan.output.channels }),
        None => Stage::Fit(plan.output),
    });
    stages
}
