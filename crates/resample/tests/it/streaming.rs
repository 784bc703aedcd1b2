//! What streaming must preserve: the bits, the bound of memory, and a picture at its own size.

use core::ops::Range;
use core::task::Poll;

use raster::{Budget, Channels, Error, IoError, Limit, Limits, Pixel, PixelFormat, Rect, Result, Size};
use resample::{Area, Column, Filter, Geometry, Kernel, Resampler, Ringing, StripSource, Window};
use testkit::generate::{self, Lcg};
use testkit::sha256;

use crate::pixel_rows::{PixelRows, read_row};

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

/// Returns random premultiplied pixels, some of them outside of 0 to 1.
fn pixels(size: Size) -> PixelRows {
    let mut random = Lcg::new(size.area());
    let mut value = || random.next_u32() as f32 / u32::MAX as f32 * 1.2 - 0.1;
    PixelRows::new(size, (0..size.area()).map(|_| Pixel([value(), value(), value(), value()])).collect())
}

fn resample(source: &PixelRows, target: Size, filter: impl Into<Filter>) -> PixelRows {
    let mut resampler = Resampler::new(source.clone(), target, filter, &budget()).unwrap();
    assert_eq!(resampler.size(), target);
    PixelRows::collect(&mut resampler).unwrap()
}

fn bits(rows: &PixelRows) -> Vec<[u32; 4]> {
    rows.pixels().iter().map(|pixel| pixel.0.map(f32::to_bits)).collect()
}

/// When only the height changes, each column is resampled alone. One wide picture and many pictures of one column use
/// different batches, buffers and loops and must give the same bits.
#[test]
fn columns_do_not_depend_on_their_neighbours() {
    let size = Size::new(5, 37);
    let source = pixels(size);
    for height in [1, 2, 9, 18, 36, 38, 100] {
        for kernel in Kernel::ALL {
            let whole = resample(&source, Size::new(5, height), kernel);
            for x in 0..5 {
                let column = |rows: &PixelRows| rows.pixels().iter().skip(x).step_by(5).copied().collect::<Vec<_>>();
                let alone = PixelRows::new(Size::new(1, size.height), column(&source));
                let alone = resample(&alone, Size::new(1, height), kernel);
                assert_eq!(alone.pixels(), column(&whole), "{kernel:?} to {height} rows, column {x}");
            }
        }
    }
}

/// When only the width changes, a row gives the same bits in a strip of eight and alone.
#[test]
fn rows_do_not_depend_on_their_neighbours() {
    let size = Size::new(37, 19);
    let source = pixels(size);
    for width in [1, 2, 9, 18, 36, 38, 100] {
        for kernel in Kernel::ALL {
            let whole = resample(&source, Size::new(width, 19), kernel);
            for (y, row) in source.pixels().chunks(37).enumerate() {
                let alone = resample(&PixelRows::new(Size::new(37, 1), row.to_vec()), Size::new(width, 1), kernel);
                assert_eq!(
                    alone.pixels(),
                    &whole.pixels()[y * width as usize..][..width as usize],
                    "{kernel:?} row {y}"
                );
            }
        }
    }
}

#[test]
fn a_picture_at_its_own_size_passes_bit_for_bit() {
    let mut odd = pixels(Size::new(3, 2)).pixels().to_vec();
    odd[0] = Pixel([-0.0, f32::MIN_POSITIVE / 2.0, f32::INFINITY, 1.0]);
    let source = PixelRows::new(Size::new(3, 2), odd);
    for kernel in Kernel::ALL {
        assert_eq!(bits(&resample(&source, Size::new(3, 2), kernel)), bits(&source), "{kernel:?}");
    }
}

/// Grey and opaque pictures are passed in fewer channels and give the same pixels.
#[test]
fn fewer_channels_are_filtered_alike() {
    let size = Size::new(150, 19);
    for target in [Size::new(40, 7), Size::new(1, 19), Size::new(150, 40), size] {
        let whole = resample(&pixels(size), target, Kernel::Lanczos3);
        for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb] {
            let result = resample(&pixels(size).in_channels(channels), target, Kernel::Lanczos3);
            for (Pixel(got), &Pixel([r, g, b, a])) in result.pixels().iter().zip(whole.pixels()) {
                let color = if channels.has_color() { [r, g, b] } else { [r; 3] };
                assert_eq!(got[..3], color, "{channels:?} to {target}");
                let misses = if channels.has_alpha() { got[3] - a } else { got[3] - 1.0 };
                assert!(misses.abs() < 1e-6, "{channels:?} to {target}: alpha {}", got[3]);
            }
        }
    }
}

/// When one axis is resampled, a picture of equal columns (or rows) gives the same result as its single column (or
/// row).
#[test]
fn the_axis_that_keeps_its_size_passes_bit_for_bit() {
    let source = pixels(Size::new(6, 9));
    let wide = resample(&source, Size::new(18, 9), Kernel::Nearest);
    let tall = resample(&source, Size::new(6, 27), Kernel::Nearest);
    for (i, pixel) in source.pixels().iter().enumerate() {
        let (x, y) = (i % 6, i / 6);
        assert_eq!(wide.pixels()[y * 18 + 3 * x + 1], *pixel);
        assert_eq!(tall.pixels()[(3 * y + 1) * 6 + x], *pixel);
    }
}

#[test]
fn nearest_gives_source_pixels_and_no_others() {
    let source = pixels(Size::new(23, 17));
    for target in [Size::new(7, 5), Size::new(50, 40), Size::new(5, 40), Size::new(22, 16)] {
        let result = resample(&source, target, Kernel::Nearest);
        for (i, pixel) in result.pixels().iter().enumerate() {
            let (x, y) = (i as u64 % u64::from(target.width), i as u64 / u64::from(target.width));
            let nearest = |at: u64, from: u64, to: u64| (2 * at + 1) * from / (2 * to);
            let (sx, sy) = (nearest(x, 23, target.width.into()), nearest(y, 17, target.height.into()));
            assert_eq!(*pixel, source.pixels()[(sy * 23 + sx) as usize]);
        }
    }
}

#[test]
fn extreme_shapes_work() {
    let table = [
        (Size::new(1, 5000), Size::new(1, 100)),
        (Size::new(5000, 1), Size::new(100, 1)),
        (Size::new(1, 5000), Size::new(100, 1)),
        (Size::new(30_000, 1), Size::new(1, 1)),
        (Size::new(1, 30_000), Size::new(1, 1)),
        (Size::new(1, 1), Size::new(3000, 1)),
        (Size::new(1, 1), Size::new(1, 3000)),
        (Size::new(1, 1), Size::new(1, 1)),
        (Size::new(2, 3), Size::new(3, 2)),
        (Size::new(1000, 1), Size::new(999, 2)),
    ];
    for (from, target) in table {
        let source = pixels(from);
        for kernel in Kernel::ALL {
            let result = resample(&source, target, kernel);
            assert!(result.pixels().iter().all(|pixel| pixel.0.iter().all(|v| v.is_finite() && v.abs() < 3.0)));
        }
    }
}

fn memory(from: Size, target: Size) -> u64 {
    let budget = budget();
    Resampler::new(Blank(from), target, Kernel::Lanczos3, &budget).unwrap();
    budget.used()
}

/// A source of zeros.
struct Blank(Size);

impl StripSource for Blank {
    fn size(&self) -> Size {
        self.0
    }

    fn channels(&self) -> Channels {
        Channels::Rgba
    }

    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
        strip.fill(Column::default());
        Poll::Ready(Ok(()))
    }
}

/// The expected bound: weights take 24 bytes for a source column or row and 8 for a target's; the rest are rows.
#[test]
fn memory_does_not_depend_on_the_factor() {
    let target = Size::new(1000, 1000);
    for height in [1100, 2000, 8000, 30_000] {
        let from = Size::new(2000, height);
        let weights = u64::from(from.width + from.height + 1000) * 24 + 2 * 1000 * 8;
        // 8 source rows; a total for each target row that a strip affects, with errors beside it where spans are long;
        // a tile. Rows consist of whole tiles of 64 pixels.
        let totals = 8 * 1000 / u64::from(height) + 7;
        let rows = if height > 10_000 { 2 * totals } else { totals };
        let bound = weights + (8 * 2000 + rows * 1024 + 8 * 64) * 16;
        assert!(memory(from, target) <= bound, "{from}: {} of {bound}", memory(from, target));
    }
    // Enlarging: 8 source rows, two strips, and at most 6 factors for a target row.
    assert!(memory(Size::new(1000, 10), Size::new(1000, 20_000)) <= (8 * 1000 + 16 * 1024) * 16 + 20_000 * (8 + 6 * 4));
}

#[test]
fn invalid_sizes_and_small_budgets_are_errors() {
    let small = Budget::new(&Limits { memory: 10_000 });
    let refused = |from, target, budget| Resampler::new(Blank(from), target, Kernel::Lanczos3, budget).err();
    let limit = |error| matches!(error, Some(Error::Limit(Limit::Memory { .. })));
    assert!(limit(refused(Size::new(6000, 4000), Size::new(100, 100), &small)));
    let plenty = budget();
    let no_size = refused(Size::new(10, 10), Size::new(0, 10), &plenty);
    assert!(matches!(no_size, Some(Error::Limit(Limit::NoSize(_)))));
    let side = refused(Size::new(10, 10), Size::new(u32::MAX, 10), &plenty);
    assert!(matches!(side, Some(Error::Limit(Limit::Side { .. }))));
}

#[test]
fn wrong_calls_and_failing_sources_are_errors() {
    let mut resampler = Resampler::new(Blank(Size::new(4, 4)), Size::new(2, 1), Kernel::Box, &budget()).unwrap();
    let mut row = [Pixel::default(); 2];
    assert!(matches!(read_row(&mut resampler, &mut row[..1]), Err(Error::Contradiction(_))));
    read_row(&mut resampler, &mut row).unwrap();
    assert!(matches!(read_row(&mut resampler, &mut row), Err(Error::Contradiction(_))));

    struct Failing;
    impl StripSource for Failing {
        fn size(&self) -> Size {
            Size::new(4, 40)
        }
        fn channels(&self) -> Channels {
            Channels::Gray
        }
        fn poll_strip(&mut self, _: &mut [Column]) -> Poll<Result<()>> {
            Poll::Ready(Err(IoError::Read("gone".into()).into()))
        }
    }
    let mut resampler = Resampler::new(Failing, Size::new(2, 20), Kernel::Box, &budget()).unwrap();
    assert!(matches!(read_row(&mut resampler, &mut row), Err(Error::Io(_))));
}

/// A source that returns `Pending` at every other call.
struct Pausing {
    rows: PixelRows,
    was_polled: bool,
}

impl StripSource for Pausing {
    fn size(&self) -> Size {
        self.rows.size()
    }

    fn channels(&self) -> Channels {
        self.rows.channels()
    }

    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
        self.was_polled = !self.was_polled;
        if self.was_polled { Poll::Pending } else { self.rows.poll_strip(strip) }
    }
}

#[test]
fn a_source_that_pauses_gives_the_same_bits() {
    let source = pixels(Size::new(50, 41));
    for target in [Size::new(20, 9), Size::new(70, 90), Size::new(50, 41)] {
        let pausing = Pausing { rows: source.clone(), was_polled: false };
        let mut resampler = Resampler::new(pausing, target, Kernel::Lanczos3, &budget()).unwrap();
        let result = PixelRows::collect(&mut resampler).unwrap();
        assert_eq!(bits(&result), bits(&resample(&source, target, Kernel::Lanczos3)), "{target}");
    }
}

#[test]
fn one_call_reads_one_strip_at_most() {
    let mut resampler = Resampler::new(pixels(Size::new(3, 80)), Size::new(3, 1), Kernel::Box, &budget()).unwrap();
    let mut row = [Pixel::default(); 3];
    let calls = 1 + (0..).take_while(|_| resampler.poll_row(&mut row).is_pending()).count();
    assert_eq!(calls, 80 / 8);
}

/// The expected values are hashes of the results' bits: they detect any change of the arithmetic, on any machine.
#[test]
fn results_are_the_same_bits_everywhere() {
    let plate = generate::zone_plate(Size::new(97, 61), PixelFormat::RGBA8);
    let values = plate.rows.as_chunks::<4>().0.iter().map(|pixel| Pixel(pixel.map(|v| f32::from(v) / 255.0)));
    let source = PixelRows::new(plate.size, values.collect());
    for (kernel, target, want) in [
        (Kernel::Lanczos3, Size::new(31, 20), "a37a0fa2eaa89bfa"),
        (Kernel::Lanczos3, Size::new(150, 100), "5978b7b8c003e9c7"),
        (Kernel::Mitchell, Size::new(60, 90), "971608606d807e0e"),
        (Kernel::Box, Size::new(10, 61), "f90c599fee173aa6"),
    ] {
        let result = resample(&source, target, kernel);
        let bytes: Vec<u8> = result.pixels().iter().flat_map(|pixel| pixel.0).flat_map(f32::to_le_bytes).collect();
        assert_eq!(sha256(&bytes)[..16], *want, "{kernel:?} to {target}");
    }
}

/// The parts of a picture that depend on changed pixels have the bits of the whole, and all other pixels stay the same.
#[test]
fn a_window_has_the_bits_of_the_whole() {
    let size = Size::new(53, 41);
    let source = pixels(size);
    for target in [Size::new(20, 13), Size::new(90, 77), Size::new(53, 10), Size::new(9, 41), Size::new(1, 1)] {
        for filter in [
            Filter::from(Kernel::Lanczos3),
            Filter::from(Kernel::Nearest),
            Filter { kernel: Kernel::Lanczos3, ringing: Ringing::Limited },
        ] {
            let geometry = Geometry { source: size, area: Area::whole(size), target, filter };
            let whole = resample(&source, target, filter);
            for changed in [(0, 0, 1, 1), (30, 17, 9, 5), (52, 40, 1, 1), (0, 20, 53, 1)] {
                let changed = Rect { x: changed.0, y: changed.1, width: changed.2, height: changed.3 };
                let Window { from, to } = geometry.window(changed);
                let mut other = source.pixels().to_vec();
                places(changed, size).for_each(|at| other[at] = Pixel([9.0; 4]));
                let other = resample(&PixelRows::new(size, other), target, filter);
                let differ = (0..whole.pixels().len()).filter(|&at| whole.pixels()[at] != other.pixels()[at]);
                let inside: Vec<usize> = places(to, target).collect();
                assert!(differ.into_iter().all(|at| inside.contains(&at)), "{filter:?} to {target}");
                if to.size().is_empty() {
                    continue;
                }
                let part = places(from, size).map(|at| source.pixels()[at]).collect();
                let part = PixelRows::new(from.size(), part);
                let mut part = Resampler::of_window(part, &geometry, Window { from, to }, &budget()).unwrap();
                let part = PixelRows::collect(&mut part).unwrap();
                let want: Vec<Pixel> = inside.iter().map(|&at| whole.pixels()[at]).collect();
                assert_eq!(part.pixels(), want, "{filter:?} to {target}");
            }
        }
    }
}

/// Returns the indices of the pixels of a rectangle.
fn places(rect: Rect, size: Size) -> impl Iterator<Item = usize> {
    (rect.y..rect.y + rect.height)
        .flat_map(move |y| (rect.x..rect.x + rect.width).map(move |x| (y * size.width + x) as usize))
}

/// A source that says which columns can have values other than 0.
struct Declared(PixelRows, Range<usize>);

impl StripSource for Declared {
    fn size(&self) -> Size {
        self.0.size()
    }

    fn channels(&self) -> Channels {
        self.0.channels()
    }

    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
        self.0.poll_strip(strip)
    }

    fn filled_columns(&self) -> Range<usize> {
        self.1.clone()
    }
}

/// The picture is wider than two tiles, and its values are 0 outside of the columns.
#[test]
fn columns_of_zeros_need_not_be_weighed() {
    let size = Size::new(300, 20);
    let mut random = Lcg::new(31);
    for (filled, target) in [(0..0, 150), (140..142, 150), (3..200, 290), (0..300, 70), (120..299, 600)] {
        let mut value = |x: usize| if filled.contains(&x) { f32::from(random.next_byte()) / 255.0 } else { 0.0 };
        let pixels = (0..300 * 20).map(|i| Pixel([0; 4].map(|_: u8| value(i % 300)))).collect();
        let rows = PixelRows::new(size, pixels);
        for channels in [Channels::GrayAlpha, Channels::Rgba] {
            let rows = rows.clone().in_channels(channels);
            let (target, budget) = (Size::new(target, 9), budget());
            let mut fast =
                Resampler::new(Declared(rows.clone(), filled.clone()), target, Kernel::Lanczos3, &budget).unwrap();
            let mut slow = Resampler::new(rows, target, Kernel::Lanczos3, &budget).unwrap();
            let (fast, slow) = (PixelRows::collect(&mut fast).unwrap(), PixelRows::collect(&mut slow).unwrap());
            assert_eq!(fast.pixels(), slow.pixels(), "{filled:?}");
        }
    }
}
