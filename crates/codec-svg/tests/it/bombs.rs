//! Small documents that take long, or much memory, in a renderer that does what they say. Each ends within a second.

use std::time::Duration;

use raster::{Limits, Size};
use testkit::cpu;

use crate::{document, draw};

/// `n` pieces, each with its number.
fn many(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// Levels of elements of that name, each with ten rectangles whose class refers to the level below by `property`.
fn classes(element: &str, property: &str) -> String {
    let styles = many(7, |i| format!(".c{i}{{{property}:url(#p{i})}}"));
    let rects = |i| format!("<rect width='9' height='9' class='c{i}'/>");
    let level = |i| format!("<{element} id='p{}' width='1' height='1'>{}</{element}>", i + 1, rects(i).repeat(10));
    format!("<style>{styles}</style><{element} id='p0'/>{}{}", many(6, level), rects(6))
}

/// A gradient and what it fills.
fn gradient(stops: &str) -> String {
    format!("<linearGradient id='g'>{stops}</linearGradient><rect width='99' height='99' fill='url(#g)'/>")
}

/// Style sheets.
fn styles() -> Vec<(&'static str, String)> {
    let rules = many(2000, |i| format!(".c{i}{{fill:red}}"));
    let nested = format!("{}{}", "<g>".repeat(190), "</g>".repeat(190));
    vec![
        ("rules and elements", format!("<style>{rules}</style>{}", "<path class='a'/>".repeat(20_000))),
        ("a selector with many ancestors", format!("<style>x {}{{fill:red}}</style>{nested}", "g ".repeat(20))),
        ("long classes", format!("<style>{rules}</style>{}", format!("<g class='{}'/>", "b ".repeat(5000)).repeat(20))),
        ("many rules", format!("<style>{}</style>", "a{b:c}".repeat(300_000))),
        ("patterns by class", classes("pattern", "fill")),
        ("masks by class", classes("mask", "mask")),
        ("markers by class", {
            let marker = format!("<marker id='p'>{}</marker>", "<circle r='1'/>".repeat(300));
            format!("<style>path{{marker-mid:url(#p)}}</style>{marker}<path d='M0 0{}'/>", "L1 1L2 2".repeat(2000))
        }),
    ]
}

/// Paths, strokes, gradients, layers.
fn shapes() -> Vec<(&'static str, String)> {
    let line = |dashes: &str| format!("<path d='M0 0L1e5 1' stroke='red' stroke-dasharray='{dashes}'/>");
    let zigzag = many(20_000, |i| format!("L{} 99L{} 0", i * 7919 % 100, i * 104_729 % 100));
    vec![
        ("dashes", line(".2").repeat(100)),
        ("a list of dashes", line(&"1 ".repeat(100_000))),
        (
            "a wide stroke with dashes",
            "<path d='M0 0H1e9' stroke='red' stroke-width='1e9' stroke-dasharray='1'/>".into(),
        ),
        ("stops", gradient(&many(400_000, |i| format!("<stop offset='{}'/>", i as f32 / 4e5)))),
        ("equal stops", gradient(&"<stop offset='.5'/>".repeat(50_000))),
        ("crossing lines", format!("<path d='M0 0{zigzag}'/>")),
        ("a long path", format!("<path d='M0 0{}'/>", "l1 1-1 .5".repeat(200_000))),
        ("layers", format!("{}<path d='M0 0H99V99'/>{}", "<g opacity='.5'>".repeat(190), "</g>".repeat(190))),
        ("blending", "<rect width='99' height='99' style='mix-blend-mode:hue'/>".repeat(20_000)),
        ("tiny cells", {
            let size = "width='1e-7' height='1e-7' patternUnits='userSpaceOnUse'";
            format!(
                "<pattern id='p' {size}><path d='M0 0h9v9z'/></pattern><rect width='99' height='99' fill='url(#p)'/>"
            )
        }),
        ("an arc of a huge radius", "<path d='M0 0A60 6e90 0 0 1 1 1'/>".into()),
        ("a huge circle", "<circle r='3e38'/>".into()),
        ("arcs of large radii", format!("<path d='M0 0{}'/>", "a8e11 8e11 0 1 1 9 9".repeat(100_000))),
        ("a list of filters", format!("<rect width='9' height='9' filter='{}'/>", "blur(1) ".repeat(2_000))),
    ]
}

/// Text, attributes, embedded pictures.
fn contents() -> Vec<(&'static str, String)> {
    let picture = "%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22%3E";
    let paths = "%3Cpath d=%22M0 0h9v9z%22/%3E".repeat(2000);
    let image = format!("<image id='i' width='9' height='9' href='data:image/svg+xml,{picture}{paths}%3C/svg%3E'/>");
    vec![
        ("characters", format!("<text>{}</text>", "a".repeat(300_000))),
        ("spans", format!("<text>{}</text>", "<tspan fill='red'>abcdefgh</tspan>".repeat(2000))),
        ("positions", format!("<text x='{}'>{}</text>", "1 ".repeat(100_000), "a".repeat(100_000))),
        ("attributes", format!("<g {}/>", many(100_000, |i| format!("a{i}='' ")))),
        ("namespaces", format!("<g {}/>", many(100_000, |i| format!("xmlns:a{i}='b{i}' ")))),
        ("pictures in use", format!("{image}{}", "<use href='#i'/>".repeat(400))),
        ("a chain of gradients", many(5_000, |i| format!("<linearGradient id='g{}' href='#g{i}'/>", i + 1))),
        ("a long number", format!("<rect width='{}' height='9'/>", "9".repeat(500_000))),
        ("a long transform", format!("<g transform='{}'/>", "scale(1)".repeat(100_000))),
        ("references to nothing", "<use href='#a'/>".repeat(400_000)),
    ]
}

#[test]
fn bombs_end_within_a_second() {
    let limits = Limits { memory: 64 << 20 };
    for (what, content) in [styles(), shapes(), contents()].into_iter().flatten() {
        let file = document("width='100' height='100'", &content);
        let target = Some(Size::new(1000, 1000));
        let outcome = cpu::within(Duration::from_secs(1), what, || draw(file.as_bytes(), target, &limits));
        let code = outcome.as_ref().map_or_else(|error| error.code(), |_| "drawn");
        println!("{what}: {code}");
        assert!(matches!(code, "drawn" | "memory" | "parts" | "malformed"), "{what}: {code}");
    }
}
