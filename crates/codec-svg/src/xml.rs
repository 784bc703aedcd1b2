//! The text of a document as XML.

use raster::Result;
use roxmltree::{Document as Xml, ParsingOptions};

use crate::text::malformed;

/// Parses the text as XML whose root is an `svg` element. No file is read, and entities that grow beyond bounds are
/// errors.
///
/// # Errors
/// `Malformed`, with the line.
pub(crate) fn parse(text: &str) -> Result<Xml<'_>> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let xml = Xml::parse_with_options(text, options).map_err(|error| {
        let line = error.pos().row;
        let offset: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
        malformed(offset as u64, &format!("line {line}: {error}"))
    })?;
    match xml.root_element().tag_name().name() {
        "svg" => Ok(xml),
        name => Err(malformed(0, &format!("line 1: the root is {name}, not svg"))),
    }
}
