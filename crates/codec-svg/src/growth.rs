//! How large a document becomes when it is converted: elements that are used elsewhere are copied, and text becomes
//! outlines. Small documents can grow beyond all bounds.

use std::collections::BTreeMap;

use raster::{Limit, Result};
use roxmltree::{Document, Node};

use crate::styles::Styles;

/// The depth of nested elements, with those that are used elsewhere in their place. Converting and drawing are
/// recursive, and the stack of a WebAssembly module has 1 MiB.
pub(crate) const MAX_DEPTH: u32 = 200;

/// Elements after everything used elsewhere is in its place. A map of the world has 100,000.
const MAX_ELEMENTS: u64 = 500_000;

/// Color stops of a gradient. Each pixel is compared with each of them.
const MAX_STOPS: usize = 5_000;

/// The digits before the point of a number in the geometry of a shape with arcs. The curves of an arc grow with the
/// sixth root of its radius: 150 for a circle of 10 ^ 12, and billions if there were no bound.
const MAX_DIGITS: usize = 12;

/// The digits from which a number counts as [`LARGE_WEIGHT`] elements. A circle of that size becomes 32 curves.
const LARGE_DIGITS: usize = 9;
const LARGE_WEIGHT: u64 = 10;

/// Characters of a text times its spans: the characters are shaped for each span.
const MAX_SHAPING: u64 = 2_000_000;

/// Counts the elements of a document with everything in its place that is used there. A character of text counts as an
/// element.
///
/// # Errors
/// `Limit` for a document that would grow too large.
pub(crate) fn elements(document: &Document<'_>) -> Result<u64> {
    let mut growth = Growth::new(document)?;
    let elements = growth.weight(document.root_element(), 0)?;
    growth.styles.copy(elements.saturating_sub(growth.known.len() as u64))?;
    Ok(elements)
}

struct Growth<'d, 'i> {
    styles: Styles<'d>,
    by_id: BTreeMap<&'d str, Node<'d, 'i>>,
    /// The weights that are known. An element whose weight is being counted has 0: a circle draws nothing.
    known: BTreeMap<u32, u64>,
    /// Whether markers stand on each point of a path, and not on its ends only.
    marks_every_point: bool,
}

impl<'d, 'i> Growth<'d, 'i> {
    fn new(document: &'d Document<'i>) -> Result<Self> {
        let mut by_id = BTreeMap::new();
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                by_id.entry(id).or_insert(node);
            }
        }
        let text = document.input_text();
        let marks_every_point = text.contains("marker-mid") || text.contains("marker:") || text.contains("marker=");
        Ok(Self { styles: Styles::new(document)?, by_id, known: BTreeMap::new(), marks_every_point })
    }

    fn weight(&mut self, node: Node<'d, 'i>, depth: u32) -> Result<u64> {
        if depth > MAX_DEPTH {
            return Err(Limit::Parts("nested elements").into());
        }
        if let Some(&weight) = self.known.get(&node.id().get()) {
            return Ok(weight);
        }
        self.known.insert(node.id().get(), 0);
        check_stops(node)?;
        let mut weight = 1_u64.saturating_add(characters(node)?).saturating_add(embedded(node));
        for name in ["d", "r", "rx", "ry", "width", "height"] {
            let value = node.attribute(name).filter(|value| name != "d" || value.contains(['a', 'A']));
            weight = weight.saturating_add(value.map_or(Ok(0), large_numbers)?);
        }
        for child in node.children().filter(Node::is_element) {
            weight = weight.saturating_add(self.weight(child, depth + 1)?);
        }
        let declared = self.styles.references(node)?;
        let declared = declared.iter().map(|one| (one.name, one.value));
        let attributes = node.attributes().map(|attribute| (attribute.name(), attribute.value()));
        for (name, value) in attributes.chain(declared) {
            let is_marker = name.starts_with("marker") || (name == "style" && value.contains("marker"));
            let times = if is_marker { self.points(node) } else { 1 };
            for id in references(name, value) {
                let Some(&target) = self.by_id.get(id) else { continue };
                weight = weight.saturating_add(times.saturating_mul(self.weight(target, depth + 1)?));
            }
        }
        if weight > MAX_ELEMENTS {
            return Err(Limit::Parts("elements").into());
        }
        self.known.insert(node.id().get(), weight);
        Ok(weight)
    }

    /// The most points in the paths of an element, on which markers may stand.
    fn points(&self, node: Node<'_, '_>) -> u64 {
        if !self.marks_every_point {
            return 2;
        }
        let bytes = node.descendants().filter_map(|node| node.attribute("d").or_else(|| node.attribute("points")));
        2 + bytes.map(|path| path.len() as u64 / 3).sum::<u64>()
    }
}

/// The identifiers that an attribute's value refers to.
fn references<'v>(name: &str, value: &'v str) -> impl Iterator<Item = &'v str> {
    let link = (name == "href").then(|| value.trim().strip_prefix('#')).flatten();
    let urls = value.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim_matches(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'');
        inside.strip_prefix('#')
    });
    link.into_iter().chain(urls)
}

fn check_stops(node: Node<'_, '_>) -> Result<()> {
    let stops = node.children().filter(|child| child.tag_name().name() == "stop").take(MAX_STOPS + 1);
    if stops.count() > MAX_STOPS { Err(Limit::Parts("gradient stops").into()) } else { Ok(()) }
}

/// The characters of a text element.
fn characters(node: Node<'_, '_>) -> Result<u64> {
    if node.tag_name().name() != "text" {
        return Ok(0);
    }
    let characters = node.descendants().filter(Node::is_text).filter_map(|node| node.text());
    let characters = characters.map(|text| text.len() as u64).sum::<u64>();
    let spans = node.descendants().filter(Node::is_element).count() as u64;
    if spans > 1 && spans.saturating_mul(characters) > MAX_SHAPING {
        return Err(Limit::Parts("text spans").into());
    }
    // Each position begins a text of its own.
    let positions = node.descendants().flat_map(|node| ["x", "y"].map(|name| node.attribute(name)));
    let positions = positions.flatten().map(|list| list.len() as u64 / 2).sum::<u64>();
    Ok(characters + 10 * positions.min(characters))
}

/// The weight of the large numbers in a list of numbers or a path.
fn large_numbers(value: &str) -> Result<u64> {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut weight = 0;
    let mut rest = value.as_bytes();
    while let Some(start) = rest.iter().position(u8::is_ascii_digit) {
        rest = &rest[start..];
        let whole = digits(rest);
        rest = &rest[whole..];
        if let [b'.', fraction @ ..] = rest {
            rest = &fraction[digits(fraction)..];
        }
        let mut power = 0;
        if let [b'e' | b'E', exponent @ ..] = rest {
            let exponent = exponent.strip_prefix(b"+").unwrap_or(exponent);
            let len = digits(exponent);
            power = exponent[..len].iter().fold(0_usize, |sum, digit| (10 * sum + usize::from(digit - b'0')).min(1000));
            rest = &exponent[len..];
        }
        match whole + power {
            ..LARGE_DIGITS => {}
            LARGE_DIGITS..=MAX_DIGITS => weight += LARGE_WEIGHT,
            _ => return Err(Limit::Parts("large numbers").into()),
        }
    }
    Ok(weight)
}

/// The bytes of an embedded picture, as elements that take as many.
fn embedded(node: Node<'_, '_>) -> u64 {
    let link = node.attributes().find(|attribute| attribute.name() == "href" && node.tag_name().name() != "a");
    link.map_or(0, |link| link.value().len() as u64 / 512)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_of_a_shape_are_counted_up_to_a_bound() {
        let table = [
            ("M 40 100 A 60 60 0 0 1 100 40", Some(0)),
            ("10.123456789-0.5.75e2", Some(0)),
            ("1e-30 2em", Some(0)),
            ("99999999,100000000", Some(LARGE_WEIGHT)),
            ("1e8 .1E+8 100000e6", Some(3 * LARGE_WEIGHT)),
            ("999999999999", Some(LARGE_WEIGHT)),
            ("1000000000000", None),
            ("1e12", None),
            ("6E+99999999999999999999", None),
        ];
        for (value, weight) in table {
            assert_eq!(large_numbers(value).ok(), weight, "{value}");
        }
    }
}
