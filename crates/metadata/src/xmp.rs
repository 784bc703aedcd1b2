//! An XMP packet (ISO 16684-1) with some properties dropped and some set anew, whether they are written as attributes or
//! as elements. Everything else is copied as it stands; comments and padding are not.

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{QName, ResolveResult};

use crate::names::{Verdict, verdict};
use crate::{Picture, Policy};

/// A packet that is not well-formed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// The packet for `picture`.
///
/// # Errors
/// [`Broken`] when the packet is not UTF-8, not well-formed, or has a document type, which could hide names in entities.
pub(crate) fn rewrite(xmp: &[u8], policy: Policy, picture: Picture) -> Result<Vec<u8>, Broken> {
    let packet = str::from_utf8(xmp).map_err(|_| Broken)?;
    let mut rewrite =
        Rewrite { reader: NsReader::from_str(packet), packet, policy, picture, out: String::with_capacity(xmp.len()) };
    rewrite.run().ok_or(Broken)?;
    Ok(rewrite.out.into_bytes())
}

struct Rewrite<'a> {
    reader: NsReader<&'a [u8]>,
    packet: &'a str,
    policy: Policy,
    picture: Picture,
    out: String,
}

impl<'a> Rewrite<'a> {
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

    /// Copies what was read since `start`.
    fn copy(&mut self, start: usize) -> Option<()> {
        self.out.push_str(self.packet.get(start..self.position()?)?);
        Some(())
    }

    /// An element's start tag that was read since `start`; whether the element remains open.
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

    /// A start tag with the attributes that it may keep; as it stands when it may keep all.
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
            // A value with a double quote in it was written in single ones.
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

    fn verdict(&self, name: QName<'_>, element: bool) -> Verdict {
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
        verdict(namespace, local.into_inner(), self.policy, self.picture)
    }
}
