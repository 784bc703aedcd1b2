//! Pictures that are drawn in bands, against the same pictures drawn in one piece.
//!
//! The renderer clips edges at the border of its canvas and rounds their ends to 1/256 of a pixel, so that single
//! pixels of an edge differ by one of the four rows of its anti-aliasing, wherever a canvas begins. A seam would be
//! more: many pixels in the rows on both sides of it.

use raster::{Budget, ImageReader, Limits, Notes, Rect, RowReader, Size};
use testkit::corpus;
use testkit::witness::premultiplied;

use crate::{Reader, View};

/// Every pixel of a document at that size, in bands of that many rows, or in one piece.
fn draw(text: &[u8], target: Size, rows: Option<u32>) -> Vec<u8> {
    let mut reader = Reader::open(&text, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    let view = View { crop: Rect::whole(reader.info().size), target };
    let mut frame = reader.draw(view, rows).unwrap();
    let mut pixels = vec![0; target.area() as usize * 4];
    pixels.chunks_exact_mut(target.width as usize * 4).for_each(|row| frame.rows.read_row(row).unwrap());
    pixels
}

/// How the pixels of two pictures differ.
#[derive(Debug, Default)]
struct Difference {
    /// Levels between the two pixels that are the furthest apart.
    most: u8,
    /// Pixels further apart than a level.
    pixels: usize,
    /// Those of them in rows beside a seam.
    at_seams: usize,
}

impl Difference {
    /// Whether few pixels differ, and few of those beside the seams of a picture of that size.
    const fn is_noise(&self, target: Size, rows: u32) -> bool {
        let beside_seams = (target.width * 2 * (target.height / rows)) as usize;
        self.pixels * 100 <= target.area() as usize && self.at_seams * 20 <= beside_seams
    }
}

fn difference(whole: &[u8], bands: &[u8], width: u32, rows: u32) -> Difference {
    let mut difference = Difference::default();
    let (whole, bands) = (whole.as_chunks::<4>().0, bands.as_chunks::<4>().0);
    for (i, (&a, &b)) in whole.iter().zip(bands).enumerate() {
        let levels = premultiplied(a, b);
        difference.most = difference.most.max(levels);
        if levels > 1 {
            let row = i as u32 / width % rows;
            difference.pixels += 1;
            difference.at_seams += usize::from(row == 0 || row == rows - 1);
        }
    }
    difference
}

/// Drawings whose parts reach over many bands.
const DRAWINGS: [(&str, &str); 10] = [
    (
        "blur",
        "<filter id='f'><feGaussianBlur stdDeviation='4'/></filter><circle cx='50' cy='50' r='30' filter='url(#f)'/>",
    ),
    (
        "shadow",
        "<filter id='f'><feDropShadow dx='3' dy='9' stdDeviation='2'/></filter>\
            <path d='M20 9L80 50L10 80z' filter='url(#f)'/>",
    ),
    (
        "morphology",
        "<filter id='f'><feMorphology operator='dilate' radius='2'/></filter>\
            <path d='M20 9L80 50' stroke='red' filter='url(#f)'/>",
    ),
    (
        "turbulence",
        "<filter id='f' x='0' y='0' width='1' height='1'><feTurbulence baseFrequency='.05'/></filter>\
            <rect width='100' height='100' filter='url(#f)'/>",
    ),
    (
        "tile",
        "<filter id='f' x='0' y='0' width='1' height='1'>\
            <feFlood flood-color='red' x='2' y='2' width='7' height='7' result='a'/>\
            <feOffset in='a' x='0' y='0' width='11' height='11'/><feTile/></filter>\
            <rect width='100' height='100' filter='url(#f)'/>",
    ),
    (
        "pattern",
        "<pattern id='p' width='.13' height='.17'><circle cx='7' cy='8' r='5' opacity='.5'/></pattern>\
            <rect width='100' height='100' fill='url(#p)'/>",
    ),
    (
        "mask",
        "<linearGradient id='g' x2='0' y2='1'><stop stop-color='#fff'/><stop offset='1'/></linearGradient>\
            <mask id='m'><rect width='100' height='100' fill='url(#g)'/></mask>\
            <circle cx='50' cy='50' r='50' mask='url(#m)'/>",
    ),
    (
        "clip",
        "<clipPath id='c'><circle cx='50' cy='50' r='49'/></clipPath><g clip-path='url(#c)'>\
            <path d='M0 0L100 30V99L3 70z' fill='green'/></g>",
    ),
    (
        "layers",
        "<g opacity='.9'><g opacity='.9'><g opacity='.9'><g opacity='.9'><circle cx='50' cy='50' r='50'/></g>\
            </g></g></g>",
    ),
    (
        "radial",
        "<radialGradient id='g' fx='.2'><stop stop-color='red'/><stop offset='1' stop-color='blue'/>\
            </radialGradient><rect width='100' height='100' rx='20' fill='url(#g)'/>",
    ),
];

#[test]
fn bands_have_no_seams() {
    let target = Size::new(400, 400);
    for (name, content) in DRAWINGS {
        let text = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{content}</svg>");
        let whole = draw(text.as_bytes(), target, None);
        for rows in [37, 128] {
            let found = difference(&whole, &draw(text.as_bytes(), target, Some(rows)), target.width, rows);
            assert!(found.is_noise(target, rows), "{name}, {rows} rows: {found:?}");
        }
    }
}

#[test]
fn the_corpus_has_no_seams() {
    let Some(rows) = corpus::rows("svg") else { return };
    let (mut all, mut exact, mut wrong) = (0, 0, Vec::new());
    for row in rows.iter().filter(|row| !row.reject) {
        let (bytes, target) = (row.bytes(), Size::new(300, 300));
        let whole = draw(&bytes, target, None);
        let found = difference(&whole, &draw(&bytes, target, Some(40)), target.width, 40);
        all += 1;
        exact += usize::from(found.most == 0);
        if !found.is_noise(target, 40) {
            wrong.push((row.name.clone(), found));
        }
    }
    println!("{exact} of {all} are the same in bands of 40 rows, byte for byte");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
