//! Every TIFF of the shared corpus: what must decode has libtiff's or ImageMagick's pixels, what must be refused is
//! refused, nothing panics or dawdles.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it left out"
)]

mod oracle;

use codec_tiff::open;
use oracle::Wide;
use raster::{Budget, Channels, Limits};
use testkit::corpus::Row;
use testkit::read_all;

const HOSTILE: Limits = Limits { memory: 64 << 20 };

#[test]
fn survey() {
    let Some(rows) = testkit::corpus::rows("tiff") else { return };
    for row in rows.iter().filter(|row| !row.reject) {
        println!("{} {}: {}", if row.must { "MUST" } else { "may " }, row.name, look(row));
    }
}

fn look(row: &Row) -> String {
    let bytes = row.bytes();
    let mut reader = match open(&bytes, &Budget::new(&HOSTILE)) {
        Ok(r) => r,
        Err(e) => return format!("OPEN {e}"),
    };
    let info = reader.info().clone();
    let mut out = String::new();
    if Some((info.size.width, info.size.height)) != row.size { out += &format!("SIZE {} ", info.size) }
    if row.frames.is_some_and(|f| f != info.frames) { out += &format!("FRAMES {} not {:?} ", info.frames, row.frames) }
    if row.bit_depth.is_some_and(|f| f != info.stored.depth) { out += &format!("DEPTH {} not {:?} ", info.stored.depth, row.bit_depth) }
    let pic = match read_all(&mut *reader) {
        Ok(p) => p,
        Err(e) => return out + &format!("READ {e}"),
    };
    if !reader.info().warnings.is_empty() { out += &format!("{:?} ", reader.info().warnings) }
    let wide = Wide::of(&pic);
    let ink = pic.pixels.channels == Channels::Cmyk;
    let shown = if ink { wide.printed() } else { wide.premultiplied() };
    match oracle::libtiff(&row.path, 0, pic.size) {
        Ok(t) => out += &format!("libtiff {:?}/{:.2} ", shown.distance(&t), shown.mean_distance(&t)),
        Err(_) => out += "libtiff - ",
    }
    match oracle::magick(&row.path, 0, pic.size, ink) {
        Ok(t) => { let (a,b) = if ink {(wide.clone(), t)} else {(wide.premultiplied(), t.premultiplied())}; out += &format!("magick {:?}/{:.2} ", a.distance(&b), a.mean_distance(&b)) }
        Err(_) => out += "magick - ",
    }
    out + &format!("{:?}", pic.pixels.channels)
}
