//! Pictures that are drawn in bands, against the same pictures drawn in one piece: every byte is the same.

use raster::{Budget, ImageReader, Limits, Notes, Rect, Result, RowReader, Size};
use testkit::corpus;

use crate::{Reader, View};

/// Draws a document at that size, in bands of that many rows, or in one piece.
fn draw(text: &[u8], target: Size, rows: Option<u32>) -> Result<Vec<u8>> {
    let mut reader = Reader::open(&text, &Budget::new(&Limits::default()), &Notes::default())?;
    let view = View { crop: Rect::whole(reader.info().size), target };
    let mut frame = reader.draw(view, rows)?;
    let mut pixels = vec![0; target.area() as usize * 4];
    pixels.chunks_exact_mut(target.width as usize * 4).try_for_each(|row| frame.rows.read_row(row))?;
    Ok(pixels)
}

/// Counts the pixels that differ between a picture in bands of that many rows and the picture in one piece.
fn seams(text: &[u8], target: Size, rows: u32) -> Result<usize> {
    let (whole, bands) = (draw(text, target, None)?, draw(text, target, Some(rows))?);
    Ok(whole.as_chunks::<4>().0.iter().zip(bands.as_chunks::<4>().0).filter(|(a, b)| a != b).count())
}

/// Drawings whose parts reach over many bands.
const DRAWINGS: [(&str, &str); 22] = [
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
    (
        "small blur",
        "<filter id='f'><feGaussianBlur stdDeviation='.3'/></filter><circle cx='50' cy='50' r='30' filter='url(#f)'/>",
    ),
    (
        "turned filter",
        "<filter id='f'><feGaussianBlur stdDeviation='4 1'/></filter>\
            <g transform='rotate(30 50 50)'><rect x='20' y='20' width='60' height='60' filter='url(#f)'/></g>",
    ),
    (
        "mirrored filter",
        "<filter id='f'><feDropShadow dx='3' dy='9' stdDeviation='.4'/></filter>\
            <path d='M20 9L80 50L10 80z' transform='matrix(-1 0 0 -.7 100 90)' filter='url(#f)'/>",
    ),
    (
        "large blur",
        "<filter id='f'><feGaussianBlur stdDeviation='9 20'/></filter>\
            <circle cx='50' cy='50' r='30' filter='url(#f)'/>",
    ),
    (
        "large shadows",
        "<filter id='f'><feMorphology in='SourceAlpha' operator='dilate' radius='1'/><feOffset dy='7'/>\
            <feGaussianBlur stdDeviation='8.5'/><feOffset dx='3' dy='-9' result='b'/><feFlood flood-color='red'/>\
            <feComposite in2='b' operator='in'/><feMerge><feMergeNode/><feMergeNode in='SourceGraphic'/></feMerge>\
            <feDropShadow dy='12' stdDeviation='11' flood-color='blue'/></filter>\
            <path d='M20 9L80 50L10 80z' filter='url(#f)'/>",
    ),
    (
        "large blurs of a list, turned",
        "<g transform='rotate(20)' style='filter:blur(10px) drop-shadow(3px 9px 8px red) blur(.5px) blur(9px)'>\
            <path d='M20 9L80 50L10 80z'/></g>",
    ),
    (
        "large blurs within a large blur, a mask and a pattern",
        "<filter id='f'><feGaussianBlur stdDeviation='9'/></filter>\
            <mask id='m'><circle cx='50' cy='50' r='30' filter='url(#f)' fill='#fff'/></mask>\
            <pattern id='p' width='.5' height='.5'>\
            <circle cx='20' cy='20' r='20' filter='url(#f)' fill='red'/></pattern>\
            <g filter='url(#f)'><rect width='90' height='90' fill='url(#p)' mask='url(#m)'/>\
            <circle r='40' filter='url(#f)'/></g>",
    ),
    (
        "lights",
        "<filter id='f'><feGaussianBlur stdDeviation='2'/><feSpecularLighting surfaceScale='9' specularExponent='9'>\
            <fePointLight x='20' y='80' z='30'/></feSpecularLighting></filter>\
            <circle cx='50' cy='50' r='30' filter='url(#f)'/>",
    ),
    (
        "displacement",
        "<filter id='f'><feTurbulence baseFrequency='.1' result='t'/><feDisplacementMap in='SourceGraphic' in2='t' \
            scale='9' xChannelSelector='R' yChannelSelector='G'/></filter>\
            <path d='M9 9H90V50L9 90z' filter='url(#f)'/>",
    ),
    (
        "blended layers within masks",
        "<filter id='f'><feConvolveMatrix kernelMatrix='1 2 1 0 0 0 -1 -2 -1'/></filter>\
            <mask id='m'><g filter='url(#f)'><circle cx='40' cy='50' r='45' fill='#fff'/></g></mask>\
            <g mask='url(#m)' transform='skewX(9)'><path d='M0 0L90 90V20z' fill='red'/>\
            <path d='M0 90L90 0V70z' fill='#07c' style='mix-blend-mode:color-dodge'/></g>",
    ),
    (
        "lines",
        "<g fill='none' stroke='navy'><path d='M1 2L97 88M3 95C40 9 60 120 99 1' stroke-width='.2'/>\
            <circle cx='50' cy='50' r='44' stroke-width='3' stroke-dasharray='7 2 1' stroke-linecap='round'/></g>",
    ),
    (
        "parts in a filter",
        "<filter id='f' x='.1' y='.13' width='.77' height='.7'><feFlood flood-color='red' y='31.3' height='40.7'/>\
            <feComposite in2='SourceGraphic' operator='xor'/></filter>\
            <g transform='translate(.3 .7)'><ellipse cx='50' cy='50' rx='49' ry='30' filter='url(#f)'/></g>",
    ),
];

#[test]
fn bands_have_no_seams() {
    let target = Size::new(400, 400);
    for (name, content) in DRAWINGS {
        let text = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{content}</svg>");
        for rows in [37, 128] {
            assert_eq!(seams(text.as_bytes(), target, rows).unwrap(), 0, "{name}, {rows} rows");
        }
    }
}

#[test]
fn drawings_of_the_golden_table_have_no_seams() {
    let shapes = include_bytes!("../../../tests/fixtures/pictures/shapes.svg");
    let layers = include_bytes!("../../../tests/fixtures/pictures/layers.svg");
    for (text, target) in [(&shapes[..], Size::new(800, 600)), (layers, Size::new(800, 600))] {
        assert_eq!(seams(text, target, 110).unwrap(), 0);
    }
}

/// Compares every drawing of the corpus, and says which ones are refused at that size.
fn corpus_has_no_seams(target: Size, rows: u32, refused: &[&str]) {
    let Some(table) = corpus::rows("svg") else { return };
    let table: Vec<_> = table.into_iter().filter(|row| !row.reject).collect();
    let compare = |row: &corpus::Row| seams(&row.bytes(), target, rows).map_err(|error| error.to_string());
    let found = table.iter().map(|row| (row.name.as_str(), compare(row)));
    let wrong: Vec<_> =
        found.filter(|(name, result)| *result != Ok(0) && !(result.is_err() && refused.contains(name))).collect();
    println!("{} of {} are the same in bands, byte for byte", table.len() - wrong.len() - refused.len(), table.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_corpus_has_no_seams() {
    corpus_has_no_seams(Size::new(300, 300), 40, &[]);
}

#[test]
#[ignore = "three minutes: every drawing of the corpus twice, with four megapixels each"]
fn the_corpus_has_no_seams_at_2000() {
    // Its list of filters takes too many steps.
    corpus_has_no_seams(Size::new(2000, 2000), 599, &["svg/resvg/generate-id-filter-function-v1.svg"]);
}
