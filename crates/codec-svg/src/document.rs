//! An opened document: what its text says, and the tree that is drawn.

use core::sync::atomic::Ordering;
use std::sync::Arc;

use raster::{Budget, ByteSource, Error, Limit, Result, Size, Warning};
use resvg::usvg::{self, Tree};

use crate::embedded::{self, Record};
use crate::inspect::{Inspection, inspect};
use crate::root::Root;
use crate::text::{Text, malformed};
use crate::xml::parse;

/// Bytes that a character of the text becomes, for elements, attributes and paths.
const TEXT_COST: u64 = 12;

/// Bytes that an element becomes once everything used elsewhere is in its place.
const ELEMENT_COST: u64 = 400;

/// The bundled font, its tables and its outlines.
const FONT_COST: u64 = 1 << 20;

/// A document that was read and found to be harmless.
pub struct Document {
    text: Text,
    root: Root,
    size: Size,
    inspection: Inspection,
}

impl Document {
    /// Reads a document. Nothing is drawn yet.
    ///
    /// # Errors `Malformed` with the line of the first mistake; `Limit` for documents that would grow beyond all
    /// bounds and where the budget does not pay for the text; `Io`.
    pub fn open(source: &dyn ByteSource, budget: &Budget) -> Result<Self> {
        let text = Text::read(source, budget)?;
        budget.charge(text.text.len() as u64 * TEXT_COST)?;
        let xml = parse(&text.text)?;
        let inspection = inspect(&xml)?;
        let root = Root::new(&text.text, xml.root_element());
        let size = root.size()?;
        drop(xml);
        Ok(Self { text, root, size, inspection })
    }

    /// The size that the document has in browsers.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// What can be told before anything is drawn.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let assumed = self.root.is_assumed.then_some(Warning::SizeAssumed { size: self.size });
        assumed.into_iter().chain(self.inspection.leaves_out.then_some(Warning::PartsLeftOut))
    }

    /// The bytes of the same document with another size.
    #[must_use]
    pub fn resized(&self, size: Size) -> Vec<u8> {
        self.text.encode(&self.root.resized(&self.text.text, size))
    }

    /// Converts the document to what can be drawn, with what was left out or replaced.
    ///
    /// # Errors
    /// `Malformed` for what the renderer cannot convert, `Limit` where the budget does not pay for the tree.
    pub(crate) fn tree(&self, budget: &Budget) -> Result<(Tree, Vec<Warning>)> {
        let text = self.root.explicit(&self.text.text);
        budget.charge(text.len() as u64 * TEXT_COST + self.inspection.elements * ELEMENT_COST + FONT_COST)?;
        let record = Arc::new(Record::default());
        let tree =
            Tree::from_xmltree(&parse(&text)?, &embedded::options(&record)).map_err(|error| conversion(&error))?;
        let mut warnings = Vec::new();
        let missing = record.missing.lock().map_err(|_| Error::Contradiction("a font was asked for twice at once"))?;
        if record.leaves_out.load(Ordering::Relaxed) || missing.characters {
            warnings.push(Warning::PartsLeftOut);
        }
        warnings.extend(missing.fonts.iter().map(|font| Warning::FontMissing { font: font.clone() }));
        Ok((tree, warnings))
    }
}

fn conversion(error: &usvg::Error) -> Error {
    match error {
        usvg::Error::ElementsLimitReached => Limit::Parts("elements").into(),
        usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => Limit::Parts("nested elements").into(),
        _ => malformed(0, &error.to_string()),
    }
}
