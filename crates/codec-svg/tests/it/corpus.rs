//! The shared corpus, against the sizes of its table, which are Chromium's, and against librsvg for gross errors.

use std::process::Command;

use raster::{Limits, Notes, Size};
use testkit::corpus::{Exceptions, agree, refuse, rows};
use testkit::memory;
use testkit::witness::{Seen, program};

use crate::{draw, draw_with};

#[test]
fn files_have_the_size_of_the_table() {
    let Some(rows) = rows("svg") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let (info, _) = draw(&row.bytes(), None, &Limits::default()).unwrap_or_else(|e| panic!("{}: {e}", row.name));
        assert_eq!(Some((info.size.width, info.size.height)), row.size, "{}", row.name);
    }
}

#[test]
fn broken_files_are_refused() {
    refuse("svg", |bytes| {
        let notes = Notes::default();
        let (_, picture) = draw_with(bytes, None, &Limits { memory: 16 << 20 }, &notes)?;
        Ok((picture, notes.warnings()))
    });
}

const FONT: &str = "other fonts, or text on paths, which librsvg 2.54 does not draw";
const ORIGIN: &str = "librsvg 2.54 does not know transform-origin";
const READ: &str = "librsvg 2.54 reads it otherwise than resvg's own expected picture";
const SIZE: &str = "without a viewBox librsvg scales what is drawn, and not the viewport";
const SATURATE: &str =
    "undefined: usvg keeps the value within 0 and 1, Chromium and librsvg do not, Firefox differs from all";
const INVALID: &str = "usvg ignores the transform; Chromium, Firefox and librsvg leave the fill out";
const SHAPE: &str = "SVG 2 draws markers on all shapes; Chromium, Firefox and librsvg do not";
const REGION: &str = "usvg takes the half of the filter's region; Chromium, Firefox and librsvg that of the rectangle";
const TREF: &str = "usvg and librsvg know tref, in other fonts; SVG 2, Chromium and Firefox do not";
const PATH: &str = "librsvg 2.54 does not draw text on paths; Firefox does, and Chromium not on a rect";
const BOX: &str =
    "a filter has the box of the font's lines here, in Chromium and in Firefox, that of the glyphs in librsvg";

/// What librsvg draws otherwise, and why.
const OTHERWISE: Exceptions = &[
    ("image-size/viewbox-lowercase.svg", SIZE),
    ("resvg/clip-path-with-text.svg", FONT),
    ("resvg/filters-enable-background-accumulate.svg", READ),
    ("resvg/filters-enable-background-filter-on-shape.svg", READ),
    ("resvg/filters-feColorMatrix-type=saturate-with-a-large-coefficient.svg", SATURATE),
    ("resvg/filters-feColorMatrix-type=saturate-with-negative-coefficient.svg", SATURATE),
    ("resvg/filters-feDropShadow-with-percent-offset.svg", READ),
    ("resvg/filters-feGaussianBlur-empty-stdDeviation.svg", READ),
    ("resvg/filters-feMorphology-negative-radius.svg", READ),
    ("resvg/filters-filter-functions-color-adjust-functions-default-value.svg", READ),
    ("resvg/filters-filter-functions-drop-shadow-function-percent-values.svg", READ),
    ("resvg/filters-filter-functions-hue-rotate-function-0.25turn.svg", READ),
    ("resvg/filters-filter-in=StrokePaint.svg", READ),
    ("resvg/filters-filter-subregion-and-primitiveUnits=objectBoundingBox-1.svg", REGION),
    ("resvg/masking-mask-half-width-region-with-rotation.svg", READ),
    ("resvg/paint-servers-pattern-invalid-patternTransform.svg", INVALID),
    ("resvg/paint-servers-pattern-out-of-order-referencing.svg", READ),
    ("resvg/paint-servers-pattern-patternUnits=objectBoundingBox-with-percent.svg", READ),
    ("resvg/paint-servers-radialGradient-self-recursive-xlink-href.svg", READ),
    ("resvg/painting-display-none-on-tref.svg", TREF),
    ("resvg/painting-marker-marker-on-rounded-rect.svg", SHAPE),
    ("resvg/painting-marker-with-invalid-markerUnits.svg", READ),
    ("resvg/preserve-id-clip-path-v2-expected.svg", FONT),
    ("resvg/preserve-id-fe-image-with-opacity-expected.svg", READ),
    ("resvg/preserve-text-with-complex-text-decoration.svg", FONT),
    ("resvg/structure-style-invalid-type.svg", READ),
    ("resvg/structure-svg-background-color.svg", READ),
    ("resvg/structure-symbol-opacity-on-symbol.svg", READ),
    ("resvg/structure-transform-origin-bottom.svg", ORIGIN),
    ("resvg/structure-transform-origin-center.svg", ORIGIN),
    ("resvg/structure-transform-origin-top.svg", ORIGIN),
    ("resvg/structure-use-xlink-to-svg-element-with-rect.svg", READ),
    ("resvg/text-baseline-shift-inheritance-2.svg", FONT),
    ("resvg/text-baseline-shift-nested-with-baseline-2.svg", FONT),
    ("resvg/text-font-kerning-arabic-script.svg", FONT),
    ("resvg/text-text-filter-bbox.svg", BOX),
    ("resvg/text-textPath-closed-path.svg", FONT),
    ("resvg/text-textPath-link-to-rect.svg", PATH),
    ("resvg/text-textPath-m-L-Z-path.svg", PATH),
    ("resvg/text-writing-mode-tb.svg", FONT),
];

#[test]
fn librsvg_sees_the_same_but_for_edges_and_fonts() {
    let Some(rsvg) = program(&["rsvg-convert"], "rsvg-convert") else { return };
    agree("svg", OTHERWISE, |row| {
        let size = Size::new(200, 200);
        let (_, picture) = draw(&row.bytes(), Some(size), &Limits::default()).map_err(|error| error.to_string())?;
        let output = Command::new(rsvg).args(["-w", "200", "-h", "200"]).arg(&row.path).output();
        let png = output.map_err(|error| error.to_string())?.stdout;
        let mut reader = codec_png::open(&png, &raster::Budget::new(&Limits::default()), &Notes::default())
            .map_err(|e| e.to_string())?;
        let theirs = testkit::read_all(&mut *reader).map_err(|error| error.to_string())?;
        let (ours, theirs) = (Seen::of(&picture), Seen::of(&theirs));
        if ours.size != theirs.size {
            return Err(format!("{:?} there", theirs.size));
        }
        let far = |(a, b): (&[u8; 4], &[u8; 4])| testkit::witness::premultiplied(*a, *b) > 96;
        let wrong = ours.rgba.iter().zip(&theirs.rgba).filter(|&pair| far(pair)).count();
        if wrong * 50 > ours.rgba.len() { Err(format!("{wrong} pixels are far away")) } else { Ok(()) }
    });
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("svg", &Limits { memory: 64 << 20 }, codec_svg::open);
}
