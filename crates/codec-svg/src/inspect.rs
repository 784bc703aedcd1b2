//! What a document contains, before it is converted: whether parts of it will be left out, and whether it is one of
//! those small documents that grow beyond all bounds because elements are used again and again.

use std::collections::BTreeMap;

use raster::{Limit, Result};
use roxmltree::{Document, Node};

use crate::growth::{self, MAX_DEPTH};

/// What a look at a document gives.
pub(crate) struct Inspection {
    /// The number of elements after everything used elsewhere is in its place.
    pub(crate) elements: u64,
    /// Whether there are scripts, links to other files, or content in other languages than SVG.
    pub(crate) leaves_out: bool,
}

/// Looks at a document.
///
/// # Errors
/// `Limit` for a document that would grow too large.
pub(crate) fn inspect(document: &Document<'_>) -> Result<Inspection> {
    check_depth(document)?;
    let elements = growth::elements(document)?;
    let leaves_out = document.descendants().any(is_left_out);
    Ok(Inspection { elements, leaves_out })
}

/// Checks the document as it is written, without recursion.
fn check_depth(document: &Document<'_>) -> Result<()> {
    let mut depths = BTreeMap::new();
    for node in document.root().descendants().filter(Node::is_element) {
        let depth = node.parent().and_then(|parent| depths.get(&parent.id().get())).map_or(1, |depth| depth + 1);
        if depth > MAX_DEPTH {
            return Err(Limit::Parts("nested elements").into());
        }
        depths.insert(node.id().get(), depth);
    }
    Ok(())
}

/// Whether a node is, or has, something that is never loaded or run.
fn is_left_out(node: Node<'_, '_>) -> bool {
    if node.is_pi() {
        return node.pi().is_some_and(|instruction| instruction.target == "xml-stylesheet");
    }
    if !node.is_element() {
        return false;
    }
    let name = node.tag_name().name();
    if matches!(name, "script" | "foreignObject" | "include" | "iframe" | "audio" | "video") {
        return true;
    }
    if name == "style" {
        let text = node.descendants().filter_map(|node| node.text()).collect::<String>();
        return text.contains("@import") || loads_urls(&text);
    }
    node.attributes().any(|attribute| match attribute.name() {
        "href" => name != "a" && is_external(attribute.value()),
        "src" => is_external(attribute.value()),
        event if event.starts_with("on") && event.len() > 3 => true,
        _ => loads_urls(attribute.value()),
    })
}

/// Whether a link leads out of the document.
fn is_external(link: &str) -> bool {
    let link = link.trim();
    !(link.is_empty()
        || link.starts_with('#')
        || link.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")))
}

/// Whether a style refers to other files.
fn loads_urls(style: &str) -> bool {
    let trim =
        |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'').to_owned();
    style.split("url(").skip(1).any(|rest| is_external(&trim(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Result<Inspection> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        inspect(&Document::parse_with_options(text, options).unwrap())
    }

    #[test]
    fn scripts_and_other_files_are_seen() {
        let table = [
            ("<script/>", true),
            ("<g onclick='x()'/>", true),
            ("<image href='a.png'/>", true),
            ("<image href='https://example.com/a.png'/>", true),
            ("<image href='data:image/png;base64,AA=='/>", false),
            ("<use href='#a'/>", false),
            ("<use href='b.svg#a'/>", true),
            ("<a href='https://example.com'/>", false),
            ("<style>@import 'a.css';</style>", true),
            ("<style>.a{fill:url(#b)}</style>", false),
            ("<style>@font-face{src:url('a.woff')}</style>", true),
            ("<rect fill='url( \"#a\" )'/>", false),
            ("<rect style='fill:url(b.svg#a)'/>", true),
            ("<foreignObject/>", true),
            ("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='a'/>", true),
            ("<?xml-stylesheet href='a.css'?>", true),
            ("<g/>", false),
        ];
        for (content, leaves_out) in table {
            assert_eq!(look(&format!("<svg>{content}</svg>")).unwrap().leaves_out, leaves_out, "{content}");
        }
    }

    #[test]
    fn documents_that_grow_are_refused() {
        let nest = |levels: u32, element: &dyn Fn(u32) -> String| {
            let groups: String =
                (1..levels).map(|i| format!("<g id='l{i}'>{}</g>", element(i - 1).repeat(10))).collect();
            format!("<svg><g id='l0'><path/></g>{groups}</svg>")
        };
        let uses = |i| format!("<use href='#l{i}'/>");
        // Each level has itself and ten uses of the level below.
        assert_eq!(look("<svg><g id='a'><path/></g><use href='#a'/></svg>").unwrap().elements, 1 + 2 + 1 + 2);
        assert_eq!(look(&nest(9, &uses)).err().unwrap().code(), "parts");
        assert_eq!(look(&nest(9, &|i| format!("<rect fill='url(#l{i})'/>"))).err().unwrap().code(), "parts");
        let chain: String = (1..9000).map(|i| format!("<g id='l{i}'><use href='#l{}'/></g>", i - 1)).collect();
        assert_eq!(look(&format!("<svg>{chain}</svg>")).err().unwrap().code(), "parts");
        let deep = format!("<svg>{}{}</svg>", "<g>".repeat(300), "</g>".repeat(300));
        assert_eq!(look(&deep).err().unwrap().code(), "parts");
        let circle = "<svg><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>";
        assert!(look(circle).unwrap().elements < 10);
    }
}
