//! The text of a document as XML.

use raster::{Error, Format, Limit, Mistake, Result, SyntaxError};
use roxmltree::{Document as Xml, Error as XmlError, ParsingOptions};

/// Attributes of an element. The parser compares each with all before it.
const MAX_ATTRIBUTES: u32 = 2_000;

/// Parses the text as XML whose root is an `svg` element. No file is read, and entities that grow beyond bounds are
/// errors.
///
/// # Errors
/// `Malformed`, with the [`SyntaxError`]; `Limit` for elements with very many attributes.
pub(crate) fn parse(text: &str) -> Result<Xml<'_>> {
    check_attributes(text)?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let xml = Xml::parse_with_options(text, options)
        .map_err(|error| malformed(text, line_of(&error, text), mistake_of(&error), error.to_string()))?;
    let root = xml.root_element();
    match root.tag_name().name() {
        "svg" => Ok(xml),
        name => {
            let line = xml.text_pos_at(root.range().start).row;
            Err(malformed(text, line, Mistake::Root, format!("the root is {name}, not svg")))
        }
    }
}

/// Counts what looks like the start of an attribute's value after each `<`, in entities too.
fn check_attributes(text: &str) -> Result<()> {
    let (mut attributes, mut is_after_equals) = (0, false);
    for byte in text.bytes() {
        match byte {
            b'<' => attributes = 0,
            b'"' | b'\'' if is_after_equals => attributes += 1,
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => {}
        }
        is_after_equals = byte == b'=';
        if attributes > MAX_ATTRIBUTES {
            return Err(Limit::Parts("attributes").into());
        }
    }
    Ok(())
}

fn malformed(text: &str, line: u32, mistake: Mistake, detail: String) -> Error {
    let offset: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    Error::malformed(Format::Svg, offset as u64, SyntaxError { line, mistake, detail })
}

/// Returns the line of the mistake. What is missing at the end of the text has the last line, because the parser tells
/// no position for it.
fn line_of(error: &XmlError, text: &str) -> u32 {
    match error {
        XmlError::UnclosedRootNode | XmlError::UnexpectedEndOfStream | XmlError::NoRootNode => {
            u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1)
        }
        _ => error.pos().row,
    }
}

const fn mistake_of(error: &XmlError) -> Mistake {
    match error {
        XmlError::UnexpectedCloseTag(..)
        | XmlError::UnexpectedEntityCloseTag(_)
        | XmlError::UnclosedRootNode
        | XmlError::UnexpectedEndOfStream => Mistake::Element,
        XmlError::DuplicatedAttribute(..) | XmlError::InvalidAttributeValue(_) | XmlError::DuplicatedNamespace(..) => {
            Mistake::Attribute
        }
        XmlError::UnknownEntityReference(..)
        | XmlError::MalformedEntityReference(_)
        | XmlError::EntityReferenceLoop(_)
        | XmlError::EntityResolver(..) => Mistake::Entity,
        XmlError::UnknownNamespace(..)
        | XmlError::InvalidXmlPrefixUri(_)
        | XmlError::UnexpectedXmlUri(_)
        | XmlError::UnexpectedXmlnsUri(_)
        | XmlError::InvalidElementNamePrefix(_) => Mistake::Prefix,
        XmlError::NoRootNode => Mistake::Root,
        _ => Mistake::Character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_has_its_line_and_its_kind() {
        let cases = [
            ("<svg>\n<g>\n</svg>", 3, Mistake::Element),
            ("<svg>\n<g/>\n", 2, Mistake::Element),
            ("<svg\nid='a'\n id='b'/>", 3, Mistake::Attribute),
            ("<svg>\n&nbsp;</svg>", 2, Mistake::Entity),
            ("<svg>\nA & B</svg>", 2, Mistake::Entity),
            ("<svg>\n\n<image xlink:href='#a'/></svg>", 3, Mistake::Prefix),
            ("\n<html/>", 2, Mistake::Root),
            ("<svg>\n<a b=c/></svg>", 2, Mistake::Character),
        ];
        for (text, line, mistake) in cases {
            let error = parse(text).unwrap_err();
            let syntax = error.syntax().unwrap();
            assert_eq!((syntax.line, syntax.mistake), (line, mistake), "{text}: {error}");
            assert!(error.to_string().contains(&format!("line {line}: ")), "{error}");
        }
    }
}
