//! The start tag of the root element: the size that a document has, and the same document with another size.

use core::ops::Range;

use raster::limits::check_size;
use raster::{Result, Size};
use roxmltree::Node;

/// The size of replaced elements that have none (CSS Images 3, §4.3); browsers use it for pictures, too.
const DEFAULT: (f64, f64) = (300.0, 150.0);

/// Pixels per unit of length (CSS Values 4, §6), at the usual font size of 16 pixels. Units that end like another stand
/// before it.
const UNITS: [(&str, f64); 12] = [
    ("px", 1.0),
    ("in", 96.0),
    ("cm", 96.0 / 2.54),
    ("mm", 96.0 / 25.4),
    ("pt", 96.0 / 72.0),
    ("pc", 16.0),
    ("rem", 16.0),
    ("em", 16.0),
    ("ex", 8.0),
    ("ch", 8.0),
    ("q", 96.0 / 101.6),
    ("", 1.0),
];

/// What the root element says about the size.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// Where the element's name ends in the text.
    name_end: usize,
    /// The values of width and height, without their quotes, where the attributes are there.
    sides: [Option<Range<usize>>; 2],
    /// Whether there is a viewBox that counts.
    has_view_box: bool,
    /// The aspect behaviour, likewise.
    aspect: Option<Range<usize>>,
    /// Width and height in pixels.
    natural: (f64, f64),
    /// Whether the document does not determine its size itself.
    pub(crate) is_assumed: bool,
}

impl Root {
    pub(crate) fn new(text: &str, root: Node<'_, '_>) -> Self {
        let value = |name| root.attribute_node(name).filter(|attribute| attribute.namespace().is_none());
        let range = |name| value(name).map(|attribute| attribute.range_value());
        let length = |name| value(name).and_then(|attribute| parse_length(attribute.value()));
        let view_box = value("viewBox").and_then(|attribute| parse_view_box(attribute.value()));
        let (natural, is_assumed) = natural_size(length("width"), length("height"), view_box);
        let start = root.range().start + 1;
        let name_len = text[start..].find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(0);
        Self {
            name_end: start + name_len,
            sides: [range("width"), range("height")],
            has_view_box: view_box.is_some(),
            aspect: range("preserveAspectRatio"),
            natural,
            is_assumed,
        }
    }

    /// The size in whole pixels, at least 1.
    ///
    /// # Errors
    /// `Limit` for sides beyond the engine's longest.
    pub(crate) fn size(&self) -> Result<Size> {
        let round = |side: f64| (side + 0.5).clamp(1.0, f64::from(u32::MAX)) as u32;
        let size = Size::new(round(self.natural.0), round(self.natural.1));
        check_size(size, u32::MAX)?;
        Ok(size)
    }

    /// The document with that size. A viewBox is added where there is none; all else stays as it is.
    pub(crate) fn resized(&self, text: &str, size: Size) -> String {
        let natural = self.natural;
        self.edited(text, (size.width.into(), size.height.into()), !is_proportional(natural, size))
    }

    /// The document with its own size, said in pixels: for a renderer with other rules.
    pub(crate) fn explicit(&self, text: &str) -> String {
        self.edited(text, self.natural, false)
    }

    /// Replaces values from the last to the first, so that positions stay true. `stretches` gives up the proportions.
    fn edited(&self, text: &str, (width, height): (f64, f64), stretches: bool) -> String {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut added = String::new();
        for (range, name, side) in [(&self.sides[0], "width", width), (&self.sides[1], "height", height)] {
            match range {
                Some(range) => edits.push((range.clone(), side.to_string())),
                None => added.push_str(&format!(" {name}=\"{side}\"")),
            }
        }
        if !self.has_view_box {
            added.push_str(&format!(" viewBox=\"0 0 {} {}\"", self.natural.0, self.natural.1));
        }
        match &self.aspect {
            Some(range) if stretches => edits.push((range.clone(), "none".into())),
            None if stretches => added.push_str(" preserveAspectRatio=\"none\""),
            _ => {}
        }
        edits.push((self.name_end..self.name_end, added));
        edits.sort_by_key(|(range, _)| core::cmp::Reverse(range.start));
        let mut text = text.to_owned();
        edits.into_iter().for_each(|(range, value)| text.replace_range(range, &value));
        text
    }
}

/// Whether a size has the proportions of another, but for the rounding of its sides.
fn is_proportional((width, height): (f64, f64), size: Size) -> bool {
    let (w, h) = (f64::from(size.width), f64::from(size.height));
    (w - h * width / height).abs() <= 1.0 || (h - w * height / width).abs() <= 1.0
}

/// Width and height in pixels, and whether a side had to be assumed, as browsers do it: percentages are unknown, an
/// unknown side follows from the viewBox, and without any side the picture is fitted into the default size.
fn natural_size(width: Option<f64>, height: Option<f64>, view_box: Option<(f64, f64)>) -> ((f64, f64), bool) {
    let (default_width, default_height) = DEFAULT;
    match (width, height, view_box) {
        (Some(width), Some(height), _) => ((width, height), false),
        (Some(width), None, Some((w, h))) => ((width, width * h / w), false),
        (None, Some(height), Some((w, h))) => ((height * w / h, height), false),
        (None, None, Some((w, h))) => {
            let scale = (default_width / w).min(default_height / h);
            ((w * scale, h * scale), true)
        }
        (width, height, None) => ((width.unwrap_or(default_width), height.unwrap_or(default_height)), true),
    }
}

/// A positive length in pixels; nothing for percentages and for what is no length.
fn parse_length(value: &str) -> Option<f64> {
    let value = value.trim().to_ascii_lowercase();
    let (number, factor) =
        UNITS.iter().find_map(|(unit, factor)| value.strip_suffix(unit).map(|number| (number, factor)))?;
    let length = number.parse::<f64>().ok()? * factor;
    (length.is_finite() && length > 0.0).then_some(length)
}

/// Width and height of a viewBox that is one.
fn parse_view_box(value: &str) -> Option<(f64, f64)> {
    let is_between = |c: char| c.is_ascii_whitespace() || c == ',';
    let numbers: Result<Vec<f64>, _> =
        value.split(is_between).filter(|part| !part.is_empty()).map(str::parse).collect();
    match numbers.ok()?[..] {
        [_, _, w, h] if w.is_finite() && h.is_finite() && w > 0.0 && h > 0.0 => Some((w, h)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> Root {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(text, options).unwrap();
        Root::new(text, document.root_element())
    }

    #[test]
    fn lengths_have_the_units_of_css() {
        let table = [
            ("123", Some(123.0)),
            (" 123px ", Some(123.0)),
            ("1.23e2", Some(123.0)),
            ("2em", Some(32.0)),
            ("2REM", Some(32.0)),
            ("1e1em", Some(160.0)),
            ("1.28125in", Some(123.0)),
            ("72pt", Some(96.0)),
            ("6pc", Some(96.0)),
            ("2.54cm", Some(96.0)),
            ("25.4mm", Some(96.0)),
            ("101.6Q", Some(96.0)),
            ("100%", None),
            ("50vw", None),
            ("auto", None),
            ("", None),
            ("0", None),
            ("-5", None),
            ("inf", None),
            ("nan", None),
        ];
        for (value, pixels) in table {
            let found = parse_length(value).map(|length| (length * 1e6 + 0.5).floor() / 1e6);
            assert_eq!(found, pixels, "{value}");
        }
    }

    #[test]
    fn a_missing_size_follows_from_the_view_box_or_is_assumed() {
        let table = [
            ("width='40' height='30'", (40, 30), false),
            ("width='40' viewBox='0 0 4 3'", (40, 30), false),
            ("height='30' viewBox='0,0 4,3'", (40, 30), false),
            ("width='100%' height='30' viewBox='0 0 4 3'", (40, 30), false),
            ("viewBox='0 0 4 3'", (200, 150), true),
            ("viewBox='0 0 400 100'", (300, 75), true),
            ("viewBox='0 0 0 3'", (300, 150), true),
            ("viewbox='0 0 4 3'", (300, 150), true),
            ("width='40'", (40, 150), true),
            ("", (300, 150), true),
            ("width='0.1' height='30'", (1, 30), false),
        ];
        for (attributes, (width, height), is_assumed) in table {
            let root = root(&format!("<svg {attributes}/>"));
            assert_eq!((root.size().unwrap(), root.is_assumed), (Size::new(width, height), is_assumed), "{attributes}");
        }
        assert_eq!(root("<svg width='1e9' height='1'/>").size().unwrap_err().code(), "side");
    }

    #[test]
    fn only_the_start_tag_changes() {
        let table = [
            (
                "<?xml version='1.0'?>\n<!-- <svg width='1'> --><svg\n width = '4cm'\theight=\"20\">\
                    <g width='1'/></svg>\n",
                "<?xml version='1.0'?>\n<!-- <svg width='1'> --><svg viewBox=\"0 0 151.18110236220",
            ),
            ("<svg viewBox='0 0 20 10'/>", "<svg width=\"200\" height=\"100\" viewBox='0 0 20 10'/>"),
            (
                "<svg height='9' viewBox='0 0 20 10'></svg>",
                "<svg width=\"200\" height='100' viewBox='0 0 20 10'></svg>",
            ),
        ];
        for (before, after) in table {
            let written = root(before).resized(before, Size::new(200, 100));
            assert!(written.starts_with(after), "{written}");
            assert_eq!(root(&written).size().unwrap(), Size::new(200, 100));
        }
        let stretched = root(table[1].0).resized(table[1].0, Size::new(50, 50));
        assert!(stretched.contains("preserveAspectRatio=\"none\""), "{stretched}");
    }
}
