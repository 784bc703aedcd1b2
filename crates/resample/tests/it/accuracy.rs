//! The streaming resampler in f32 compared with the whole-image reference in f64. The reference converts from and to
//! stored samples here, so only the resampler is tested; `pipeline` tests the whole way.

use raster::{Budget, Channels, Depth, Limits, Pixel, PixelFormat, Size};
use resample::reference::{self, Light, Stored};
use resample::{Filter, Kernel, Resampler, Ringing};
use testkit::{Difference, Picture, generate};

use crate::pixel_rows::PixelRows;

const RGBA16: PixelFormat = PixelFormat::new(Channels::Rgba, Depth::Sixteen);

/// The slack of rounding, explained in `pipeline`.
const SLACK: f64 = 1.0 / 32_768.0;

fn fast(picture: &Picture, target: Size, filter: impl Into<Filter>, light: Light) -> Picture {
    let working = reference::working(&picture.rows, picture.pixels, light);
    let pixels = working.into_iter().map(|pixel| Pixel(pixel.map(|v| v as f32))).collect();
    let budget = Budget::new(&Limits::default());
    let mut resampler = Resampler::new(PixelRows::new(picture.size, pixels), target, filter, &budget).unwrap();
    let result = PixelRows::collect(&mut resampler).unwrap();
    let working: Vec<[f64; 4]> = result.pixels().iter().map(|pixel| pixel.0.map(f64::from)).collect();
    let rows = reference::stored(&working, picture.pixels, light, SLACK);
    Picture { size: target, pixels: picture.pixels, rows }
}

fn slow(picture: &Picture, target: Size, filter: Filter, light: Light) -> Picture {
    let stored = Stored { size: picture.size, pixels: picture.pixels, rows: &picture.rows };
    Picture { size: target, pixels: picture.pixels, rows: reference::resize(stored, target, filter, light) }
}

/// Returns target sizes of 1/20 to 3 times, and one that shrinks one side and enlarges the other.
fn targets(size: Size) -> [Size; 8] {
    let scaled = |n: u32, d: u32| Size::new((size.width * n).div_ceil(d), (size.height * n).div_ceil(d));
    [
        scaled(1, 20),
        scaled(1, 7),
        scaled(8, 25),
        scaled(1, 2),
        scaled(9, 10),
        scaled(3, 2),
        scaled(3, 1),
        Size::new(size.width / 3, size.height * 2),
    ]
}

/// Returns all kernels, with ringing and without.
fn filters() -> impl Iterator<Item = Filter> {
    let limited = Kernel::ALL.map(|kernel| Filter { kernel, ringing: Ringing::Limited });
    Kernel::ALL.into_iter().map(Filter::from).chain(limited)
}

/// Compares both implementations for all targets, filters and lights. `limit` is the largest difference in levels,
/// `share` the smallest share of identical samples.
fn compare(name: &str, picture: &Picture, limit: u16, share: f64) {
    let (mut worst, mut least) = (0, 1.0_f64);
    for target in targets(picture.size) {
        for filter in filters() {
            for light in [Light::Linear, Light::Encoded] {
                let got = fast(picture, target, filter, light);
                let difference = Difference::between(&got, &slow(picture, target, filter, light));
                let case = format!("{name} to {target} by {filter:?} in {light:?}: {difference:?}");
                // Four differing samples are allowed, because the zone plate is symmetric and its smallest results have
                // 264 samples.
                let apart = (1.0 - difference.identical) * got.samples().len() as f64;
                assert!(difference.max <= limit && (difference.identical >= share || apart < 4.5), "{case}");
                (worst, least) = (worst.max(difference.max), least.min(difference.identical));
            }
        }
    }
    println!("{name}: at most {worst} apart, at least {:.3} % identical", least * 100.0);
}

#[test]
fn eight_bit_samples_are_within_one_level_and_nearly_all_identical() {
    let size = Size::new(211, 157);
    compare("zone plate", &generate::zone_plate(size, PixelFormat::RGB8), 1, 0.995);
    compare("checker and lines", &generate::checker_lines(size, PixelFormat::GRAY8), 1, 0.995);
    compare("gradient", &generate::gradient(size, PixelFormat::RGB8), 1, 0.995);
    compare("ghost edges", &generate::ghost_edges(size, Depth::Eight), 1, 0.995);
    compare("noise", &generate::noise(size, PixelFormat::RGB8, 5), 1, 0.995);
}

#[test]
fn sixteen_bit_samples_are_within_two_levels() {
    let size = Size::new(211, 157);
    compare("ramp", &generate::ramp16(size), 2, 0.5);
    compare("zone plate", &generate::zone_plate(size, RGBA16), 2, 0.5);
    compare("noise", &generate::noise(size, PixelFormat::new(Channels::Rgb, Depth::Sixteen), 7), 2, 0.5);
}

/// Half a level of a 16-bit sample at full scale is 2⁻¹⁷; the error of thirty thousand additions in f32 must stay below
/// it.
#[test]
fn flat_colour_stays_flat() {
    let colors = [[1.0, 0.5, 0.25, 1.0], [0.003, 0.02, 0.997, 1.0], [0.8, 0.2, 0.6, 0.4]];
    let sizes = [
        (Size::new(60, 40), Size::new(3, 2)),
        (Size::new(60, 40), Size::new(19, 13)),
        (Size::new(40, 60), Size::new(41, 59)),
        (Size::new(20, 10), Size::new(61, 31)),
        (Size::new(1, 1), Size::new(5, 4)),
        (Size::new(1, 3000), Size::new(1, 100)),
        (Size::new(30_000, 2), Size::new(1, 1)),
        (Size::new(2, 30_000), Size::new(1, 1)),
    ];
    for color in colors {
        for (from, target) in sizes {
            let picture = generate::flat(from, RGBA16, color);
            let want = generate::flat(target, RGBA16, color);
            for kernel in Kernel::ALL {
                for light in [Light::Linear, Light::Encoded] {
                    let got = fast(&picture, target, kernel, light);
                    assert_eq!(
                        got.samples(),
                        want.samples(),
                        "{color:?} {from} to {target} by {kernel:?} in {light:?}"
                    );
                }
            }
        }
    }
}

/// The levels of a picture with two greys and hard edges only, after resampling.
fn levels(target: Size, filter: Filter) -> Vec<u16> {
    let painted = |x: u32, y: u32| [[0.2, 0.2, 0.2, 1.0], [0.8, 0.8, 0.8, 1.0]][((x / 9 + y / 13) % 2) as usize];
    let picture = Picture::paint(Size::new(90, 91), PixelFormat::RGB8, painted);
    fast(&picture, target, filter, Light::Encoded).samples()
}

/// Hard edges between levels 51 and 204: every kernel with negative lobes goes beyond them, and never does if limited.
/// The slope of the edge stays, therefore there are levels between the two.
#[test]
fn limited_ringing_stays_in_the_range_of_the_source() {
    for target in [Size::new(37, 29), Size::new(60, 200), Size::new(200, 60), Size::new(231, 190)] {
        for filter in filters() {
            let levels = levels(target, filter);
            let rings = levels.iter().any(|level| !(51..=204).contains(level));
            let can = !matches!(filter.kernel, Kernel::Bilinear | Kernel::Box | Kernel::Nearest);
            assert_eq!(rings, can && filter.ringing == Ringing::Kept, "{filter:?} to {target}");
            let slopes = levels.iter().any(|level| (60..=195).contains(level));
            assert!(slopes || !can, "{filter:?} to {target}");
        }
    }
}
