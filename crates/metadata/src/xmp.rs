//! Rewrites an XMP packet (ISO 16684-1). Some properties are dropped and some get new values, in the form of attributes
//! and of elements. Comments and padding are dropped; everything else is copied unchanged.

use core::ops::Range;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{QName, ResolveResult};

use crate::names::{Verdict, is_of_gain_map, is_resolution, is_syntax, verdict};
use crate::policy::{Picture, Policy};

/// The error for a packet that is not well-formed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// Rewrites a packet for `picture`.
///
/// # Errors
/// [`Broken`] when the packet is not UTF-8, is not well-formed, or has a document type, which could hide names in
/// entities.
pub(crate) fn rewrite(xmp: &[u8], policy: Policy, picture: Picture) -> Result<Vec<u8>, Broken> {
    Ok(Rewrite::of(xmp, &|namespace, name| verdict(namespace, name, policy, picture))?.out.into_bytes())
}

/// Returns the packet with the properties of a gain map only, or `None` when it has none.
pub(crate) fn gain_map_alone(xmp: &[u8]) -> Option<Vec<u8>> {
    let only = |namespace: &str, _: &str| match is_syntax(namespace) || is_of_gain_map(namespace) {
        true => Verdict::Keep,
        false => Verdict::Drop,
    };
    let rewritten = Rewrite::of(xmp, &only).ok()?;
    rewritten.has_properties.then(|| rewritten.out.into_bytes())
}

/// Rewrites the extension of a packet for `picture`. Returns `None` when no property is left.
///
/// # Errors
/// As [`rewrite`].
pub(crate) fn rewrite_extension(xmp: &[u8], policy: Policy, picture: Picture) -> Result<Option<Vec<u8>>, Broken> {
    let decide = |namespace: &str, name: &str| verdict(namespace, name, policy, picture);
    let rewritten = Rewrite::of(xmp, &decide)?;
    Ok(rewritten.has_properties.then(|| rewritten.out.into_bytes()))
}

/// Returns the packet without the density of the picture, or `None` when it is not well-formed.
pub(crate) fn without_resolution(xmp: &[u8]) -> Option<Vec<u8>> {
    let keep = |namespace: &str, name: &str| match is_resolution(namespace, name) {
        true => Verdict::Drop,
        false => Verdict::Keep,
    };
    Some(Rewrite::of(xmp, &keep).ok()?.out.into_bytes())
}

/// Joins a packet and its extension into one packet. Returns `None` when they use different prefixes for the syntax, or
/// when the extension declares namespaces outside of its descriptions.
pub(crate) fn joined(xmp: &[u8], extension: &[u8]) -> Option<Vec<u8>> {
    let (xmp, extension) = (text(xmp)?, text(extension)?);
    let (start, span, _) = descriptions(xmp)?;
    let (other, more, is_plain) = descriptions(extension)?;
    (start == other && is_plain).then(|| [&xmp[..span.end], &extension[more], &xmp[span.end..]].concat().into_bytes())
}

/// Returns a packet without the processing instructions around it, as extensions require, or `None` when it has no
/// descriptions.
pub(crate) fn unwrapped(xmp: &[u8]) -> Option<Vec<u8>> {
    const WRAPPER: &str = "<?xpacket";
    let packet = text(xmp)?;
    descriptions(packet)?;
    let inner = match packet.trim_start().strip_prefix(WRAPPER) {
        Some(begin) => begin.split_once("?>")?.1,
        None => packet,
    };
    let inner = inner.rfind(WRAPPER).map_or(inner, |end| &inner[..end]);
    Some(inner.trim().into())
}

/// Returns a packet as text, without byte-order marks before it, because the XML reader skips one without counting it.
fn text(xmp: &[u8]) -> Option<&str> {
    Some(str::from_utf8(xmp).ok()?.trim_start_matches('\u{feff}'))
}

/// Returns the name of the element around all descriptions, the position of the descriptions, and whether only
/// namespaces of the syntax are declared around them.
fn descriptions(packet: &str) -> Option<(String, Range<usize>, bool)> {
    let mut reader = NsReader::from_str(packet);
    let mut is_plain = true;
    loop {
        let event = reader.read_event().ok()?;
        let Event::Start(tag) = event else {
            if matches!(event, Event::Eof | Event::DocType(_)) {
                return None;
            }
            continue;
        };
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.ok()?;
            is_plain &= attribute.key.as_namespace_binding().is_none() || is_syntax(&attribute.value);
        }
        let (namespace, name) = reader.resolver().resolve_element(tag.name());
        if matches!(namespace, ResolveResult::Bound(namespace) if is_syntax(namespace.0)) && name.into_inner() == "RDF"
        {
            let start = usize::try_from(reader.buffer_position()).ok()?;
            let span = reader.read_to_end(tag.name()).ok()?;
            let end = usize::try_from(span.end).ok().filter(|&end| end >= start)?;
            return Some((tag.name().0.to_owned(), start..end, is_plain));
        }
    }
}

struct Rewrite<'a> {
    reader: NsReader<&'a [u8]>,
    packet: &'a str,
    /// What happens to the property of a namespace.
    decide: &'a dyn Fn(&str, &str) -> Verdict,
    out: String,
    /// Whether the new packet has properties.
    has_properties: bool,
}

impl<'a> Rewrite<'a> {
    fn of(xmp: &'a [u8], decide: &'a dyn Fn(&str, &str) -> Verdict) -> Result<Self, Broken> {
        let packet = text(xmp).ok_or(Broken)?;
        let (reader, out) = (NsReader::from_str(packet), String::with_capacity(xmp.len()));
        let mut rewrite = Self { reader, packet, decide, out, has_properties: false };
        rewrite.run().ok_or(Broken)?;
        Ok(rewrite)
    }

    fn run(&mut self) -> Option<()> {
        let mut depth = 0_u64;
        loop {
            let start = self.position()?;
            match self.reader.read_event().ok()? {
                Event::Eof => return (depth == 0).then_some(()),
                Event::DocType(_) => return None,
                Event::Comment(_) => {}
                Event::Start(tag) => depth += u64::from(self.open(&tag, start, false)?),
                Event::Empty(tag) => _ = self.open(&tag, start, true)?,
                Event::Text(_) | Event::CData(_) if depth == 0 => self.out.push('\n'), // padding
                Event::End(_) => {
                    depth = depth.checked_sub(1)?;
                    self.copy(start)?;
                }
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) | Event::Decl(_) | Event::PI(_) => {
                    self.copy(start)?;
                }
            }
        }
    }

    fn position(&self) -> Option<usize> {
        usize::try_from(self.reader.buffer_position()).ok()
    }

    /// Copies the text from `start` to the reader's position.
    fn copy(&mut self, start: usize) -> Option<()> {
        self.out.push_str(self.packet.get(start..self.position()?)?);
        Some(())
    }

    /// Writes the start tag that begins at `start`. Returns whether the element remains open.
    fn open(&mut self, tag: &BytesStart<'a>, start: usize, empty: bool) -> Option<bool> {
        let verdict = self.verdict(tag.name(), true);
        if verdict == Verdict::Drop {
            if !empty {
                self.reader.read_to_end(tag.name()).ok()?;
            }
            return Some(false);
        }
        self.tag(tag, start, empty)?;
        if let (Verdict::Set(value), false) = (verdict, empty) {
            let content = self.position()?;
            let span = self.reader.read_to_end(tag.name()).ok()?;
            let end = usize::try_from(span.end).ok().filter(|&end| end >= content)?;
            self.out.push_str(&value.to_string());
            self.copy(end)?;
            return Some(false);
        }
        Some(!empty)
    }

    /// Writes a start tag with its kept attributes. The tag is copied unchanged if all are kept.
    fn tag(&mut self, tag: &BytesStart<'a>, start: usize, empty: bool) -> Option<()> {
        let mut attributes = String::new();
        let mut changed = false;
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.ok()?;
            let name = attribute.key;
            let value = match self.verdict(name, false) {
                Verdict::Keep => attribute.value,
                Verdict::Set(value) => value.to_string().into(),
                Verdict::Drop => {
                    changed = true;
                    continue;
                }
            };
            changed |= !matches!(value, std::borrow::Cow::Borrowed(_));
            // A value that contains a double quote was written in single quotes.
            let quote = if value.contains('"') { '\'' } else { '"' };
            attributes.extend([" ", name.0, "="]);
            attributes.push(quote);
            attributes.push_str(&value);
            attributes.push(quote);
        }
        if !changed {
            return self.copy(start);
        }
        self.out.extend(["<", tag.name().0, &attributes, if empty { "/>" } else { ">" }]);
        Some(())
    }

    fn verdict(&mut self, name: QName<'_>, element: bool) -> Verdict {
        if !element && name.as_namespace_binding().is_some() {
            return Verdict::Keep;
        }
        let resolver = self.reader.resolver();
        let (namespace, local) =
            if element { resolver.resolve_element(name) } else { resolver.resolve_attribute(name) };
        let namespace = match &namespace {
            ResolveResult::Bound(namespace) => namespace.0,
            ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
        };
        let verdict = (self.decide)(namespace, local.into_inner());
        self.has_properties |= verdict != Verdict::Drop && !is_syntax(namespace);
        verdict
    }
}
