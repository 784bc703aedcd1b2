use super::*;
use raster::Format;

use crate::codecs::Encoding;
use crate::stages::Stages;

pub(crate) const SIZE: Size = Size::new(60, 40);
const GRAY8: RowFormat = RowFormat::Colors(PixelFormat::GRAY8);
const RGB8: RowFormat = RowFormat::Colors(PixelFormat::RGB8);
const RGBA8: RowFormat = RowFormat::Colors(PixelFormat::RGBA8);
const GRAY_ALPHA16: RowFormat = RowFormat::Colors(PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen));
const RGB16: RowFormat = RowFormat::Colors(PixelFormat::new(Channels::Rgb, Depth::Sixteen));
const RGBA16: RowFormat = RowFormat::Colors(PixelFormat::new(Channels::Rgba, Depth::Sixteen));
const CMYK8: RowFormat = RowFormat::Inks { depth: Depth::Eight, alpha: false };
const CMYKA16: RowFormat = RowFormat::Inks { depth: Depth::Sixteen, alpha: true };
const HALF: Size = Size::new(30, 20);

/// A frame and the settings of its job.
struct Case {
    row_format: RowFormat,
    orientation: Orientation,
    icc: Option<Vec<u8>>,
    format: Format,
    target: Size,
    crop: Rect,
    canvas: Option<[u8; 4]>,
    background: [u8; 3],
    flatten: bool,
    sharpening: Sharpening,
    choice: ProfileChoice,
}

/// Returns a whole frame written in a format at its own size.
fn case(row_format: RowFormat, format: Format) -> Case {
    let crop = Rect::whole(SIZE);
    let orientation = Orientation::Upright;
    let sharpening = Sharpening::Off;
    Case {
        row_format,
        orientation,
        icc: None,
        format,
        target: SIZE,
        crop,
        canvas: None,
        background: [255; 3],
        flatten: false,
        sharpening,
        choice: ProfileChoice::Keep,
    }
}

impl Case {
    fn plan(&self) -> Plan {
        let frame = FrameInfo { orientation: self.orientation, ..FrameInfo::new(SIZE, self.row_format) };
        let size = Size::new(self.target.width + 10, self.target.height + 10);
        let canvas = self.canvas.map(|color| Canvas { size, x: 5, y: 5, color });
        let part = Part { crop: self.crop, canvas, ..Part::whole(self.target) };
        let encoding = Encoding::new(self.format).unwrap();
        let Self { background, flatten, sharpening, choice: profile, .. } = *self;
        let job = Job { parts: vec![part], background, flatten, sharpening, profile, ..Job::whole(SIZE, encoding) };
        Plan::new(&frame, self.icc.as_deref(), &job, &part).unwrap()
    }

    fn flat(self) -> Self {
        Self { flatten: true, ..self }
    }

    fn half(self) -> Self {
        Self { target: HALF, ..self }
    }

    fn canvas(self, color: [u8; 4]) -> Self {
        Self { canvas: Some(color), ..self }
    }

    fn sharp(self) -> Self {
        Self { sharpening: Sharpening::Mild, ..self }
    }

    fn in_srgb(self) -> Self {
        Self { choice: ProfileChoice::Srgb, ..self }
    }

    fn profile(self, icc: Vec<u8>) -> Self {
        Self { icc: Some(icc), ..self }
    }
}

/// Returns the header of a profile for this space. A plan reads no more of it unless it could be sRGB's.
fn profile(space: [u8; 4]) -> Vec<u8> {
    let mut icc = vec![0; 200];
    icc[..4].copy_from_slice(&200_u32.to_be_bytes());
    icc[16..20].copy_from_slice(&space);
    icc[36..40].copy_from_slice(b"acsp");
    icc
}

#[test]
fn a_format_gets_the_pixels_that_it_supports() {
    use Channels::{Gray, GrayAlpha, Rgb, Rgba};
    use Depth::{Eight, Sixteen};
    const WHITE: Option<[u8; 3]> = Some([255; 3]);
    let opaque_black = [0, 0, 0, 255];
    let table = [
        (case(GRAY8, Format::Jpeg), Gray, Eight, None),
        (case(GRAY8, Format::Bmp), Gray, Eight, None),
        (case(GRAY8, Format::Ico), Rgba, Eight, None),
        (case(RGB8, Format::Jpeg), Rgb, Eight, None),
        (case(RGB16, Format::Jpeg), Rgb, Eight, None),
        (case(RGB16, Format::Png), Rgb, Sixteen, None),
        (case(RGB16, Format::Tiff), Rgb, Sixteen, None),
        (case(RGB16, Format::Bmp), Rgb, Eight, None),
        (case(RGBA8, Format::Jpeg), Rgb, Eight, WHITE),
        (case(RGBA8, Format::Png), Rgba, Eight, None),
        (case(RGBA16, Format::Bmp), Rgba, Eight, None),
        (case(GRAY_ALPHA16, Format::Jpeg), Gray, Eight, WHITE),
        (case(GRAY_ALPHA16, Format::Png), GrayAlpha, Sixteen, None),
        (case(GRAY_ALPHA16, Format::Bmp), Rgba, Eight, None),
        (case(CMYK8, Format::Png), Rgb, Eight, None),
        (case(CMYK8, Format::Jpeg), Rgb, Eight, None),
        (case(CMYKA16, Format::Png), Rgba, Sixteen, None),
        (case(CMYKA16, Format::Jpeg), Rgb, Eight, WHITE),
        // A canvas may require colour or alpha that the picture lacks.
        (case(GRAY8, Format::Png).canvas(opaque_black), Gray, Eight, None),
        (case(GRAY8, Format::Png).canvas([255, 0, 0, 255]), Rgb, Eight, None),
        (case(GRAY8, Format::Png).canvas([0; 4]), GrayAlpha, Eight, None),
        (case(RGB8, Format::Png).canvas([1, 2, 3, 4]), Rgba, Eight, None),
        (case(RGB8, Format::Jpeg).canvas([1, 2, 3, 4]), Rgb, Eight, WHITE),
        // Formats with alpha can be flattened, too.
        (case(RGBA8, Format::Png).flat(), Rgb, Eight, WHITE),
        (case(GRAY_ALPHA16, Format::Png).flat(), Gray, Eight, WHITE),
        (case(RGB16, Format::Png).flat(), Rgb, Sixteen, None),
        (case(RGB8, Format::Png).flat(), Rgb, Eight, None),
        (case(RGBA8, Format::Png).canvas([1, 2, 3, 255]).flat(), Rgb, Eight, WHITE),
        // A coloured background requires colour.
        (Case { background: [255, 0, 0], ..case(GRAY_ALPHA16, Format::Jpeg) }, Rgb, Eight, Some([255, 0, 0])),
    ];
    for (i, (case, channels, depth, background)) in table.iter().enumerate() {
        let plan = case.plan();
        let found = (plan.output.channels, plan.output.depth, plan.background);
        assert_eq!(found, (*channels, *depth, *background), "row {i}");
    }
}

#[test]
fn a_profile_is_carried_left_out_or_used() {
    let red_ground = Case { background: [255, 0, 0], ..case(RGBA8, Format::Jpeg) };
    let table = [
        (case(RGB8, Format::Png), Colors::Plain),
        (case(RGB8, Format::Png).profile(profile(icc::RGB)), Colors::Carried),
        (case(RGB8, Format::Bmp).profile(profile(icc::RGB)), Colors::Carried),
        (case(RGB8, Format::Ico).profile(profile(icc::RGB)), Colors::Converted),
        (red_ground.profile(profile(icc::RGB)), Colors::Carried),
        // A profile for RGB does not apply to grey.
        (case(GRAY8, Format::Png).profile(profile(icc::RGB)), Colors::Converted),
        (case(GRAY8, Format::Png).profile(profile(icc::GRAY)), Colors::Carried),
        (case(CMYK8, Format::Tiff).profile(profile(icc::CMYK)), Colors::Converted),
        (case(RGB8, Format::Png).in_srgb(), Colors::Plain),
        (case(RGB8, Format::Png).profile(profile(icc::RGB)).in_srgb(), Colors::Converted),
        (case(GRAY8, Format::Png).profile(profile(icc::GRAY)).in_srgb(), Colors::Converted),
    ];
    for (i, (case, colors)) in table.iter().enumerate() {
        assert_eq!(case.plan().colors, *colors, "row {i}");
    }
}

#[test]
fn light_is_linear_only_where_pixels_are_averaged() {
    const SRGB: Light = light::SRGB;
    let light = |choice, target| choose_light(choice, SIZE, target, || Transfer::Srgb);
    let larger = Size::new(100, 100);
    assert_eq!(light(LightChoice::Auto, HALF), SRGB);
    assert_eq!(light(LightChoice::Auto, larger), Light::Encoded);
    assert_eq!(light(LightChoice::Linear, larger), SRGB);
    assert_eq!(light(LightChoice::Encoded, HALF), Light::Encoded);
    assert_eq!(light(LightChoice::Linear, SIZE), Light::Encoded);
}

#[test]
fn linear_light_follows_the_profile_and_else_srgb() {
    let light = |case: Case| case.half().plan().light;
    assert_eq!(light(case(RGB8, Format::Png)), light::SRGB);
    // A profile that cannot be read.
    assert_eq!(light(case(RGB8, Format::Png).profile(profile(icc::RGB))), light::SRGB);
    // The curve must be one that the tables support.
    for (curve, depth, fits) in [(1.8, 8, true), (2.2, 16, true), (1.0, 16, true), (0.2, 8, false), (9.0, 8, false)] {
        let depth = if depth == 8 { Depth::Eight } else { Depth::Sixteen };
        assert_eq!(light::fits(&Transfer::Gamma(curve), depth), fits, "{curve}");
    }
    let flat = Transfer::Sampled([0, 40_000, 40_000, 65_535].into());
    assert!(!light::fits(&flat, Depth::Eight));
}

#[test]
fn geometry_is_that_of_the_stored_frame_before_the_turn() {
    let crop = Rect { x: 0, y: 0, width: 40, height: 30 };
    let turned =
        Case { orientation: Orientation::Rotate90, crop, target: Size::new(20, 15), ..case(RGB8, Format::Png) };
    let plan = turned.canvas([0; 4]).plan();
    assert_eq!((plan.crop.size(), plan.target), (Size::new(30, 40), Size::new(15, 20)));
    assert_eq!(plan.output_size(), Size::new(30, 25));
    assert_eq!(plan.header(true).orientation, Orientation::Upright);
}

/// Each job has exactly these stages.
#[test]
fn a_job_has_the_stages_that_it_needs_and_no_other() {
    const RESAMPLE: &str = "ingest, resample, emit";
    let turned = |orientation| Case { orientation, ..case(RGB8, Format::Jpeg) };
    let upright = |size: Size| Case { crop: Rect::whole(size), target: size, ..turned(Orientation::Rotate90) };
    let corner = Rect { x: 1, y: 2, width: 30, height: 20 };
    let cropped = |case| Case { crop: corner, target: HALF, ..case };
    let all = Case {
        orientation: Orientation::Rotate180,
        target: Size::new(15, 10),
        ..cropped(case(RGBA8, Format::Ico).profile(profile(icc::RGB)))
    };
    let table = [
        // Unchanged pixels are not converted to working pixels.
        (case(RGB8, Format::Jpeg), String::new()),
        (case(GRAY_ALPHA16, Format::Png), String::new()),
        (case(RGB8, Format::Png).profile(profile(icc::RGB)), String::new()),
        (cropped(case(RGBA8, Format::Png)), "crop".into()),
        (case(RGB8, Format::Png).canvas([0, 0, 0, 255]), "canvas".into()),
        (turned(Orientation::FlipHorizontal), "turn".into()),
        (upright(SIZE.swapped()), "turn".into()),
        (case(CMYK8, Format::Png), "inks".into()),
        (case(CMYK8, Format::Png).profile(profile(icc::CMYK)), "inks".into()),
        // Another size, or other pixels at the same size.
        (case(RGB8, Format::Jpeg).half(), RESAMPLE.into()),
        (case(RGB16, Format::Jpeg), RESAMPLE.into()),
        (case(RGB8, Format::Png).canvas([0; 4]), format!("{RESAMPLE}, canvas")),
        (case(CMYK8, Format::Jpeg).half(), format!("inks, {RESAMPLE}")),
        (case(CMYKA16, Format::Jpeg).half(), format!("inks, {RESAMPLE}, flatten")),
        // Stages that round behind the resampler.
        (case(RGBA8, Format::Jpeg), format!("{RESAMPLE}, flatten")),
        (case(GRAY8, Format::Jpeg).half().canvas([90, 90, 90, 100]), format!("{RESAMPLE}, canvas")),
        (case(RGB8, Format::Ico).profile(profile(icc::RGB)), format!("{RESAMPLE}, convert, fit")),
        (case(GRAY8, Format::Png).profile(profile(icc::RGB)), format!("{RESAMPLE}, convert, fit")),
        // Only a picture that gets smaller is sharpened, and its borders are not.
        (case(RGB8, Format::Png).sharp(), String::new()),
        (Case { target: Size::new(90, 60), ..case(RGB8, Format::Png).sharp() }, RESAMPLE.into()),
        (case(RGB8, Format::Png).half().sharp(), format!("{RESAMPLE}, sharpen, fit")),
        (case(RGBA8, Format::Jpeg).half().sharp(), format!("{RESAMPLE}, sharpen, flatten")),
        (case(CMYK8, Format::Jpeg).half().sharp(), format!("inks, {RESAMPLE}, sharpen, fit")),
        (case(RGB8, Format::Png).half().sharp().canvas([0; 4]), format!("{RESAMPLE}, sharpen, fit, canvas")),
        (
            case(RGB8, Format::Ico).half().sharp().profile(profile(icc::RGB)),
            format!("{RESAMPLE}, convert, sharpen, fit"),
        ),
        (all.canvas([9, 8, 7, 6]), format!("crop, {RESAMPLE}, convert, fit, turn, canvas")),
    ];
    for (i, (case, stages)) in table.iter().enumerate() {
        assert_eq!(Stages::new(&case.plan()).to_string(), *stages, "row {i}");
    }
}
