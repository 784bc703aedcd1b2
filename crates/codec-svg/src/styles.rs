//! Style sheets, before a document is converted: what they refer to, and how long it takes to apply them. A selector
//! with many ancestors is compared with every combination of ancestors. One with six ancestors, for elements of 60
//! levels, did not end in three minutes.

use core::cell::Cell;

use raster::{Limit, Result};
use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, Declaration, Element, PseudoClass, StyleSheet};

/// Steps of comparing elements with selectors. A step takes about 10 ns.
const MAX_STEPS: u64 = 30_000_000;

/// Rules and declarations times bytes. The parser counts lines from the beginning for each mistake.
const MAX_PARSING: usize = 1_000_000_000;

/// Bytes of an attribute's value that are compared in a step.
const STEP_BYTES: usize = 4;

/// The rules of a document, as the converter applies them.
pub(crate) struct Styles<'d> {
    sheet: StyleSheet<'d>,
    /// Steps for the elements so far.
    steps: Cell<u64>,
    /// Steps for the element that took the most.
    most: Cell<u64>,
}

impl<'d> Styles<'d> {
    /// Parses the style sheets of a document.
    ///
    /// # Errors
    /// `Limit` for more rules than can be compared with all elements.
    pub(crate) fn new(document: &'d Document<'_>) -> Result<Self> {
        let sheets = document.descendants().filter(|node| node.tag_name().name() == "style");
        let texts: Vec<&str> = sheets.filter_map(|node| node.text()).collect();
        let count =
            |marks: &[u8]| texts.iter().flat_map(|text| text.bytes()).filter(|byte| marks.contains(byte)).count();
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        if count(b"{,;").saturating_mul(bytes) > MAX_PARSING {
            return Err(Limit::Parts("style rules").into());
        }
        let rules = count(b"{,");
        let styles = Self { sheet: StyleSheet::new(), steps: Cell::new(0), most: Cell::new(0) };
        let elements = document.descendants().filter(Node::is_element).count();
        styles.spend(rules as u64 * elements as u64)?;
        styles.steps.set(0);
        let sheet = texts.into_iter().fold(styles.sheet, |mut sheet, text| {
            sheet.parse_more(text);
            sheet
        });
        Ok(Self { sheet, ..styles })
    }

    /// The declarations for an element that refer to other elements.
    ///
    /// # Errors
    /// `Limit` where finding them takes too long.
    pub(crate) fn references(&self, node: Node<'_, '_>) -> Result<Vec<Declaration<'d>>> {
        let before = self.steps.get();
        let element = Counted { node, steps: &self.steps };
        let rules = self.sheet.rules.iter().filter(|rule| rule.selector.matches(&element));
        let found =
            rules.flat_map(|rule| &rule.declarations).filter(|one| one.value.contains("url(")).copied().collect();
        self.most.set(self.most.get().max(self.steps.get() - before));
        self.spend(0)?;
        Ok(found)
    }

    /// Counts elements that are copies of other elements and get their styles again.
    ///
    /// # Errors
    /// `Limit` where that takes too long.
    pub(crate) fn copy(&self, elements: u64) -> Result<()> {
        self.spend(self.most.get().saturating_mul(elements))
    }

    fn spend(&self, steps: u64) -> Result<()> {
        self.steps.set(self.steps.get().saturating_add(steps));
        if self.steps.get() > MAX_STEPS { Err(Limit::Parts("style rules").into()) } else { Ok(()) }
    }
}

/// An element whose comparisons are counted. Nothing matches after the last step.
struct Counted<'s, 'a, 'i> {
    node: Node<'a, 'i>,
    steps: &'s Cell<u64>,
}

impl<'a, 'i> Counted<'_, 'a, 'i> {
    /// Counts steps and says whether any are left.
    fn step(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get() + steps as u64);
        self.steps.get() <= MAX_STEPS
    }

    fn other(&self, node: Option<Node<'a, 'i>>) -> Option<Self> {
        node.filter(|_| self.step(1)).map(|node| Self { node, steps: self.steps })
    }
}

impl Element for Counted<'_, '_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.other(self.node.parent_element())
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.other(self.node.prev_sibling_element())
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.step(1) && self.node.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        let value = self.node.attribute(name);
        value.is_some_and(|value| self.step(1 + value.len() / STEP_BYTES) && operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        self.step(1) && class == PseudoClass::FirstChild && self.node.prev_sibling_element().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the styles to every element.
    fn apply(text: &str) -> Result<Vec<String>> {
        let document = Document::parse(text).unwrap();
        let styles = Styles::new(&document)?;
        let found = document.descendants().filter(Node::is_element).map(|node| styles.references(node));
        let found = found.collect::<Result<Vec<_>>>()?;
        Ok(found.iter().flatten().map(|one| format!("{}:{}", one.name, one.value)).collect())
    }

    #[test]
    fn rules_refer_to_elements() {
        let style = "<style>.a, g > rect {fill: url(#x); stroke: red} #b + g :first-child{mask:url(#y)}</style>";
        let content = "<path class='z a'/><circle id='b'/><g><rect/><rect class='aa'/></g>";
        let found = apply(&format!("<svg>{style}{content}</svg>")).unwrap();
        assert_eq!(found, ["fill:url(#x)", "fill:url(#x)", "mask:url(#y)", "fill:url(#x)"]);
    }

    #[test]
    fn slow_selectors_are_refused() {
        let nested = |selector: &str| {
            let groups = format!("{}{}", "<g>".repeat(150), "</g>".repeat(150));
            apply(&format!("<svg><style>{selector}{{fill:red}}</style>{groups}</svg>"))
        };
        assert!(nested("x g g").is_ok());
        assert_eq!(nested(&format!("x {}", "g ".repeat(20))).unwrap_err().code(), "parts");
    }
}
