//! Documents that ask for more than they may have.

use std::time::Duration;

use raster::{Limits, Size};
use testkit::cpu;

use crate::{document, draw};

/// What a hostile document may cost at most.
const HOSTILE: Limits = Limits { memory: 64 << 20 };

/// `levels` groups, each with ten of what `element` makes of the one before.
fn nest(levels: u32, element: impl Fn(u32) -> String) -> String {
    let group = |i: u32| format!("<g id='l{i}'>{}</g>", element(i - 1).repeat(10));
    let groups: String = (1..levels).map(group).collect();
    document("width='100' height='100'", &format!("<g id='l0'><path d='M0 0h9v9z'/></g>{groups}"))
}

#[test]
fn documents_that_grow_end_with_an_error_at_once() {
    let entities: String =
        (1..12).map(|i| format!("<!ENTITY l{i} '{}'>", format!("&l{};", i - 1).repeat(10))).collect();
    let laughs = format!("<!DOCTYPE svg [<!ENTITY l0 'ha'>{entities}]><svg><text>&l11;</text></svg>");
    let sized = |content: &str| document("width='100' height='100'", content);
    let pattern = |size: &str| {
        let content = format!(
            "<pattern id='p' width='{size}' height='{size}' patternUnits='userSpaceOnUse'><path d='M0 0h9v9z'/>\
                </pattern>"
        );
        sized(&format!("{content}<rect width='100' height='100' fill='url(#p)'/>"))
    };
    let filter = |primitive: &str| {
        let region = "x='-1e6' y='-1e6' width='2e6' height='2e6' filterUnits='userSpaceOnUse'";
        sized(&format!(
            "<filter id='f' {region}>{}</filter><rect width='99' height='99' filter='url(#f)'/>",
            primitive.repeat(200)
        ))
    };
    let patterns: String = (1..9)
        .map(|i| {
            format!(
                "<pattern id='p{i}' width='1' height='1'>{}</pattern>",
                format!("<rect width='9' height='9' fill='url(#p{})'/>", i - 1).repeat(10)
            )
        })
        .collect();
    let deep = format!("{}{}", "<g opacity='.9'>".repeat(5000), "</g>".repeat(5000));
    let table = [
        ("entities", laughs),
        ("use", nest(10, |i| format!("<use href='#l{i}'/>"))),
        ("nested elements", sized(&deep)),
        ("huge pattern", pattern("1e5")),
        ("huge filter", filter("<feGaussianBlur stdDeviation='1e4'/>")),
        ("slow filter", filter("<feMorphology radius='9999'/>")),
        ("patterns", sized(&format!("{patterns}<rect width='99' height='99' fill='url(#p8)'/>"))),
        ("huge side", document("width='1e9' height='1'", "")),
    ];
    for (what, file) in table {
        let target = (what != "huge side").then_some(Size::new(1000, 1000));
        let outcome = cpu::within(Duration::from_secs(1), what, || draw(file.as_bytes(), target, &HOSTILE));
        let error = outcome.err().unwrap_or_else(|| panic!("{what} was drawn"));
        assert!(matches!(error.code(), "memory" | "parts" | "malformed" | "side"), "{what}: {error}");
    }
}

#[test]
fn circles_end() {
    for content in [
        "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
        "<pattern id='a' width='1' height='1'><rect width='9' height='9' fill='url(#a)'/></pattern>\
            <rect width='9' height='9' fill='url(#a)'/>",
        "<mask id='a' mask='url(#a)'><rect width='9' height='9' mask='url(#a)'/></mask>\
            <rect width='9' height='9' mask='url(#a)'/>",
        "<filter id='f'><feImage href='#a'/></filter><rect id='a' width='9' height='9' filter='url(#f)'/>",
        "<clipPath id='a' clip-path='url(#a)'><path d='M0 0h9v9'/></clipPath>\
            <rect width='9' height='9' clip-path='url(#a)'/>",
    ] {
        let file = document("width='10' height='10'", content);
        let outcome = cpu::within(Duration::from_secs(1), content, || draw(file.as_bytes(), None, &HOSTILE));
        assert!(outcome.map_or_else(|error| error.code() == "parts", |_| true), "{content}");
    }
}

#[test]
fn no_prefix_and_no_changed_byte_panics() {
    let content = "<linearGradient id='g'><stop offset='.5'/></linearGradient>\
        <g transform='rotate(9)' filter='blur(1)'>\
        <text y='9' font-size='8'>ab</text><rect width='9' height='9' fill='url(#g)' stroke-dasharray='1 2'/></g>";
    let file = document("width='10' height='10' viewBox='0 0 10 10'", content).into_bytes();
    for cut in (0..file.len()).step_by(3) {
        let _ = draw(&file[..cut], None, &HOSTILE);
    }
    for at in (0..file.len()).step_by(2) {
        let mut changed = file.clone();
        changed[at] = changed[at].wrapping_add(1 + (at % 9) as u8);
        let _ = draw(&changed, Some(Size::new(16, 16)), &HOSTILE);
    }
}

/// A side of the picture, fitted into its element, is less than the distance of two coordinates there.
#[test]
fn pictures_that_become_too_thin_to_see_are_no_obstacle() {
    let picture = |width: &str, height: &str| {
        let attributes = format!("xmlns=%22http://www.w3.org/2000/svg%22 width=%22{width}%22 height=%22{height}%22");
        format!("data:image/svg+xml,%3Csvg {attributes}/%3E")
    };
    for (place, width, height) in [
        ("x='1000000' y='9' width='1' height='1'", "1", "100"),
        ("x='9' y='5000000' width='2' height='2'", "1000", "1"),
        ("x='16000000' y='-16000000' width='4' height='4' preserveAspectRatio='xMaxYMax slice'", "1", "3"),
        ("x='-16000000' y='-16000000' width='4' height='4' preserveAspectRatio='xMaxYMax'", "999999", "1"),
        ("width='1e-44' height='1'", "9", "100000"),
        ("width='1' height='1e-44'", "100000", "9"),
        ("width='1e-44' height='1e-44' preserveAspectRatio='xMinYMin slice'", "9", "100000"),
    ] {
        let image = format!("<image {place} href='{}'/><rect width='5' height='5'/>", picture(width, height));
        let file = document("width='10' height='10'", &image);
        let (_, drawn) = draw(file.as_bytes(), None, &HOSTILE).unwrap();
        assert_eq!(drawn.rows[..4], [0, 0, 0, 255], "{place}");
    }
}
