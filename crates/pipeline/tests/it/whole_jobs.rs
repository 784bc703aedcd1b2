//! Whole jobs compared with a slow reference: a whole picture in f64, processed in the order of the user's view. It
//! turns first and crops the upright picture, whereas the pipeline crops stored rows and turns the result. Both must
//! agree within one level of 255.

use pipeline::{Canvas, Encoding, Job, LightChoice, Part, Sharpening};
use raster::steps::finished;
use raster::{Channels, Depth, Format, Orientation, PixelFormat, Rect, Size};
use resample::{Filter, Kernel, Ringing, reference};
use testkit::{Picture, generate};

use crate::shared::{oriented, picture, upright};

const STORED: Size = Size::new(61, 43);
const BACKGROUND: [u8; 3] = [200, 40, 90];

const SOURCES: [(Channels, Depth); 5] = [
    (Channels::Gray, Depth::Eight),
    (Channels::GrayAlpha, Depth::Sixteen),
    (Channels::Rgb, Depth::Eight),
    (Channels::Rgba, Depth::Eight),
    (Channels::Rgba, Depth::Sixteen),
];
const FORMATS: [Format; 4] = [Format::Jpeg, Format::Png, Format::Bmp, Format::Tiff];
const KERNELS: [Kernel; 3] = [Kernel::Lanczos3, Kernel::Mitchell, Kernel::Box];
/// The crops, as distances from the left, the top, the right and the bottom.
const CROPS: [[u32; 4]; 3] = [[0, 0, 0, 0], [3, 5, 0, 2], [11, 0, 20, 13]];
/// The width and height of the target as fractions of the crop's.
const SCALES: [(f64, f64); 5] = [(0.5, 0.5), (0.31, 0.77), (1.0, 1.0), (1.7, 1.4), (1.2, 0.4)];
/// The colours of canvases with 3 columns and 1 row on the left and above, 2 and 4 on the right and below.
const CANVASES: [Option<[u8; 4]>; 3] = [None, Some([10, 220, 30, 255]), Some([90, 90, 90, 100])];

/// A picture of encoded red, green, blue and straight alpha, 0 to 1.
struct Exact {
    size: Size,
    pixels: Vec<[f64; 4]>,
}

impl Exact {
    fn new(picture: &Picture) -> Self {
        let max = f64::from(picture.pixels.depth.max());
        let count = picture.pixels.channels.count();
        let samples: Vec<f64> = picture.samples().into_iter().map(|sample| f64::from(sample) / max).collect();
        let pixels = samples.chunks_exact(count).map(|pixel| match *pixel {
            [v] => [v, v, v, 1.0],
            [v, a] => [v, v, v, a],
            [r, g, b] => [r, g, b, 1.0],
            _ => [pixel[0], pixel[1], pixel[2], pixel[3]],
        });
        Self { size: picture.size, pixels: pixels.collect() }
    }

    fn at(&self, x: u32, y: u32) -> [f64; 4] {
        self.pixels[(y * self.size.width + x) as usize]
    }

    fn map(size: Size, pixel: impl Fn(u32, u32) -> [f64; 4]) -> Self {
        let pixels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        Self { size, pixels: pixels.map(|(x, y)| pixel(x, y)).collect() }
    }

    fn crop(&self, crop: Rect) -> Self {
        Self::map(crop.size(), |x, y| self.at(crop.x + x, crop.y + y))
    }

    /// Resamples at 16 bits, whose rounding is far below a level of 255. A picture that keeps its size is not changed.
    fn resize(self, target: Size, filter: Filter, choice: LightChoice) -> Self {
        if self.size == target {
            return self;
        }
        let light = match choice {
            LightChoice::Encoded => reference::Light::Encoded,
            LightChoice::Auto if target.area() >= self.size.area() => reference::Light::Encoded,
            LightChoice::Auto | LightChoice::Linear => reference::Light::Linear,
        };
        let pixels = PixelFormat::new(Channels::Rgba, Depth::Sixteen);
        let fine = Picture::paint(self.size, pixels, |x, y| self.at(x, y));
        let stored = reference::Stored { size: self.size, pixels, rows: &fine.rows };
        Self::new(&Picture { size: target, pixels, rows: reference::resize(stored, target, filter, light) })
    }

    /// Sharpens a picture that got smaller by an unsharp mask of its luma.
    fn sharpen(self, from: Size, sharpening: Sharpening) -> Self {
        if self.size.area() >= from.area() || sharpening == Sharpening::Off {
            return self;
        }
        let part = if sharpening == Sharpening::Mild { 0.5 } else { 1.0 };
        let luma = |[r, g, b, _]: [f64; 4]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let near = |i: u32, step: u32, side: u32| (i + step).saturating_sub(1).min(side - 1);
        let blurred = |x, y| {
            let weights = [0, 1, 2].into_iter().flat_map(|down| [0, 1, 2].map(|across| (across, down)));
            let (sum, weights) = weights.fold((0.0, 0.0), |(sum, weights), (across, down)| {
                let pixel = self.at(near(x, across, self.size.width), near(y, down, self.size.height));
                let weight = [1.0, 2.0, 1.0][across as usize] * [1.0, 2.0, 1.0][down as usize] * pixel[3];
                (sum + weight * luma(pixel), weights + weight)
            });
            sum / weights
        };
        Self::map(self.size, |x, y| {
            let pixel = self.at(x, y);
            if pixel[3] == 0.0 {
                return pixel;
            }
            let difference = luma(pixel) - blurred(x, y);
            let change = (difference.abs() - 2.0 / 255.0).max(0.0) * part;
            let change = if difference > 0.0 { change.min(0.1) } else { -change.min(0.2) };
            let [r, g, b] = [0, 1, 2].map(|channel| (pixel[channel] + change).clamp(0.0, 1.0));
            [r, g, b, pixel[3]]
        })
    }

    fn on_canvas(self, canvas: Option<Canvas>) -> Self {
        let Some(Canvas { size, x: left, y: top, color }) = canvas else { return self };
        let color = color.map(|sample| f64::from(sample) / 255.0);
        Self::map(size, |x, y| match (x.checked_sub(left), y.checked_sub(top)) {
            (Some(x), Some(y)) if x < self.size.width && y < self.size.height => self.at(x, y),
            _ => color,
        })
    }

    fn on_background(self, background: [u8; 3]) -> Self {
        let over = |[r, g, b, a]: [f64; 4]| {
            let [br, bg, bb] = background.map(|sample| f64::from(sample) / 255.0 * (1.0 - a));
            [r * a + br, g * a + bg, b * a + bb, 1.0]
        };
        Self { size: self.size, pixels: self.pixels.into_iter().map(over).collect() }
    }

    /// Returns the largest difference in levels of 255, of alpha and of colour multiplied by alpha.
    fn difference(&self, other: &Self) -> f64 {
        assert_eq!(self.size, other.size);
        let seen = |[r, g, b, a]: [f64; 4]| [r * a, g * a, b * a, a];
        let samples = |picture: &Self| picture.pixels.iter().copied().flat_map(seen).collect::<Vec<_>>();
        let apart = samples(self).into_iter().zip(samples(other)).map(|(a, b)| (a - b).abs() * 255.0);
        apart.fold(0.0, f64::max)
    }
}

/// Returns the job of that number. Lists of different lengths are combined by their remainders, so that adjacent stages
/// occur in all combinations.
fn job(i: usize, size: Size) -> Job {
    let [left, top, right, bottom] = CROPS[i / 2 % CROPS.len()];
    let crop = Rect { x: left, y: top, width: size.width - left - right, height: size.height - top - bottom };
    let (across, down) = SCALES[i / 3 % SCALES.len()];
    let scaled = |side: u32, scale: f64| (f64::from(side) * scale).round() as u32;
    let target = Size::new(scaled(crop.width, across), scaled(crop.height, down));
    let canvas_size = Size::new(target.width + 5, target.height + 5);
    let canvas = CANVASES[i % CANVASES.len()].map(|color| Canvas { size: canvas_size, x: 3, y: 1, color });
    Job {
        parts: vec![Part { crop, target, canvas, ..Part::whole(size) }],
        kernel: KERNELS[i / 5 % KERNELS.len()],
        ringing: Ringing::ALL[i / 9 % 2],
        sharpening: Sharpening::ALL[i / 4 % 3],
        light: [LightChoice::Auto, LightChoice::Linear, LightChoice::Encoded][i / 7 % 3],
        background: BACKGROUND,
        flatten: i / 6 % 4 == 3,
        ..Job::whole(size, Encoding::new(FORMATS[i % FORMATS.len()]).unwrap())
    }
}

fn slow_reference(source: &Picture, job: &Job) -> Exact {
    let part = job.parts[0];
    let filter = Filter { kernel: job.kernel, ringing: job.ringing };
    let resized = Exact::new(source).crop(part.crop).resize(part.target, filter, job.light);
    let sharp = resized.sharpen(part.crop.size(), job.sharpening);
    let whole = sharp.on_canvas(part.canvas);
    let holds_alpha = job.encoding.traits().channels.iter().any(|channels| channels.has_alpha());
    if holds_alpha && !job.flatten { whole } else { whole.on_background(job.background) }
}

#[test]
fn whole_jobs_agree_with_the_slow_reference() {
    for i in 0..120 {
        let (channels, depth) = SOURCES[i % SOURCES.len()];
        let stored = generate::noise(STORED, PixelFormat::new(channels, depth), i as u64);
        let orientation = Orientation::ALL[i % 8];
        let turn = Orientation::ALL[i / 8 % 8];
        let source = upright(&upright(&stored, orientation), turn);
        let mut job = job(i, source.size);
        job.parts[0].turn = turn;
        // The rows that the encoder receives are compared, because JPEG changes them.
        let (file, mut rows) = (oriented(&stored, orientation), Vec::new());
        finished(pipeline::stage_in_steps(&&file[..], &mut rows, &job, &mut |_, _| {})).map(drop).unwrap();
        let difference = Exact::new(&picture(&rows)).difference(&slow_reference(&source, &job));
        assert!(difference <= 1.0, "{difference} levels: job {i}, {channels:?} {depth:?} {orientation:?} {job:?}");
    }
}
