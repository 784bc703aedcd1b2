//! Small documents, each for one rule.

use codec_svg::{Reader, View};
use raster::{Budget, ImageReader, Limits, Notes, Rect, RowReader, Size, Wanted, Warning};
use testkit::{memory, read_all};

use crate::{document, draw, draw_with};

fn warnings(file: &str) -> Vec<&'static str> {
    let notes = Notes::default();
    draw_with(file.as_bytes(), None, &Limits::default(), &notes).unwrap();
    notes.warnings().iter().map(Warning::code).collect()
}

#[test]
fn what_is_left_out_is_told() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    // The header of a PNG of 1 × 2147483647 pixels, with which the converter panicked.
    let endless = "iVBORw0KGgoAAAANSUhEUgAAAAF/////CAYAAAA=";
    let sized = |content: &str| document("width='9' height='9'", content);
    let table: [(String, &[&str]); 13] = [
        (sized(""), &[]),
        (document("", ""), &["size-assumed"]),
        (sized("<script>1</script>"), &["parts-left-out"]),
        (sized("<image href='file:///etc/passwd' width='9' height='9'/>"), &["parts-left-out"]),
        (sized(&format!("<image href='data:image/png;base64,{png}' width='9' height='9'/>")), &[]),
        (
            sized(&format!("<image href='data:image/png;base64,{endless}' x='9' width='9' height='9'/>")),
            &["parts-left-out"],
        ),
        (sized("<image href='data:image/png;base64,AAAA' width='9' height='9'/>"), &["parts-left-out"]),
        (sized("<text y='9'>a</text>"), &[]),
        (sized("<text y='9' font-family='sans-serif'>a</text>"), &[]),
        (sized("<text y='9' font-family='Noto Sans'>Žluťoučký кот Ωmega</text>"), &[]),
        (sized("<text y='9' font-family='Comic Sans MS, serif'>a</text>"), &["font-missing"]),
        (sized("<text y='9'>漢字</text>"), &["parts-left-out"]),
        (
            sized(
                "<image href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 \
            width=%229%22 height=%229%22%3E%3Cscript/%3E%3C/svg%3E'/>",
            ),
            &["parts-left-out"],
        ),
    ];
    for (file, codes) in table {
        assert_eq!(warnings(&file), codes, "{file}");
    }
}

#[test]
fn external_entities_are_not_read() {
    let file =
        "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg width='9' height='9'><text>&x;</text></svg>";
    let error = draw(file.as_bytes(), None, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("line 1"), "{error}");
    let file = "<!DOCTYPE svg [<!ENTITY c 'red'>]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\
        <path fill='&c;' d='M0 0H9V9H0z'/></svg>";
    let (_, picture) = draw(file.as_bytes(), None, &Limits::default()).unwrap();
    assert_eq!(picture.rows[..4], [255, 0, 0, 255]);
}

#[test]
fn a_mistake_has_its_line() {
    let error = draw(b"<svg>\n<g>\n</svg>", None, &Limits::default()).unwrap_err();
    assert_eq!(error.syntax().map(|syntax| syntax.line), Some(3));
    let error = draw(b"<html/>", None, &Limits::default()).unwrap_err();
    assert_eq!(error.code(), "malformed");
}

#[test]
fn a_crop_is_drawn_at_its_own_scale() {
    // Four squares; the lower right one fills the picture.
    let squares = "<rect width='5' height='5' fill='red'/><rect x='5' y='5' width='5' height='5' fill='lime'/>";
    let file = document("width='10' height='10'", squares);
    let squares = [(0, 0, [255, 0, 0, 255]), (5, 5, [0, 255, 0, 255]), (5, 0, [0; 4])];
    let view = |(x, y, _)| View { crop: Rect { x, y, width: 5, height: 5 }, target: Size::new(64, 32) };
    let reader = Reader::open(&file.as_bytes(), &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    let mut reader = reader.with_views(squares.map(view).to_vec());
    for (_, _, color) in squares {
        let picture = read_all(&mut reader).unwrap();
        assert_eq!(picture.size, Size::new(64, 32));
        assert!(picture.rows.chunks_exact(4).all(|pixel| pixel == color), "{color:?}");
    }
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
}

#[test]
fn percentages_follow_the_view_box_and_the_picture_fills_its_size() {
    let rect = "<rect width='100%' height='100%' fill='red'/>";
    for attributes in ["width='100%' height='10' viewBox='0 0 4 2'", "viewBox='0 0 4 2'", "width='3cm' height='10'", ""]
    {
        let file = document(attributes, rect);
        let (_, picture) = draw(file.as_bytes(), Some(Size::new(40, 20)), &Limits::default()).unwrap();
        assert!(picture.rows.chunks_exact(4).all(|pixel| pixel == [255, 0, 0, 255]), "{attributes}");
    }
}

#[test]
fn memory_grows_with_the_width_and_not_with_the_area() {
    let circle = "<g opacity='.5'><circle cx='5' cy='5' r='5'/></g>";
    let file = document("width='10' height='10'", circle);
    let mut row = vec![0; 80_000];
    let peak = memory::counted("20,000 × 20,000", &Limits { memory: 100 << 20 }, |budget| {
        let view = View { crop: Rect::whole(Size::new(10, 10)), target: Size::new(20_000, 20_000) };
        let mut reader = Reader::open(&file.as_bytes(), budget, &Notes::default()).unwrap().with_views(vec![view]);
        let mut frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
        for _ in 0..300 {
            frame.rows.read_row(&mut row).unwrap();
        }
        budget.peak()
    });
    assert_eq!((row[3], row[40_003]), (0, 128), "half transparent in the middle");
    assert!(peak < 60 << 20, "{peak}");
}

#[test]
fn a_document_stays_a_document_of_another_size() {
    let file = document("width='10' height='10'", "<!-- é --><path d='M0 0'/>\r\n");
    let view = |crop| View { crop, target: Size::new(30, 30) };
    let (mut sink, budget) = (Vec::new(), Budget::new(&Limits::default()));
    codec_svg::resize(&file.as_bytes(), &mut sink, view(Rect::whole(Size::new(10, 10))), &budget).unwrap();
    let expected = file.replace("<svg", "<svg viewBox=\"0 0 10 10\"").replace("'10'", "'30'");
    assert_eq!(String::from_utf8(sink).unwrap(), expected);
    let part = view(Rect { x: 0, y: 0, width: 5, height: 5 });
    let error = codec_svg::resize(&file.as_bytes(), &mut Vec::new(), part, &budget).unwrap_err();
    assert_eq!(error.code(), "unsupported");
}
