//! The metadata of a page. They are written before the strips, so that no memory is held for them meanwhile.

use ifd::{Builder, Kind, Order, Output, Value, tag};
use raster::{Metadata, Resolution, Result};

use super::exif::{self, MakerNote};

/// The largest offset at which a maker note keeps its offset from its block; the bytes before it are blank. Notes of
/// eight photographs are at offsets 728 to 1276 of their blocks.
const FARTHEST_NOTE: u64 = 64 * 1024;

/// Returns a directory with all of `metadata`; long values are already written to the file.
pub(super) fn directory(metadata: &Metadata, output: &mut Output<'_>) -> Result<Builder> {
    let mut directory = Builder::new(Order::Little);
    if let Some(exif) = &metadata.exif
        && let Some(note) = exif::take_apart(exif, &mut directory)
    {
        place_note(note, &mut directory, output)?;
    }
    let blocks = [(tag::XMP, Kind::BYTE, &metadata.xmp), (tag::ICC_PROFILE, Kind::UNDEFINED, &metadata.icc)];
    for (tag, kind, block) in blocks {
        if let Some(bytes) = block.as_ref().filter(|bytes| !bytes.is_empty()) {
            directory.push(tag, kind, Value::Placed { at: output.place(bytes)?, count: bytes.len() as u64 });
        }
    }
    if let Some(iptc) = metadata.iptc.as_ref().filter(|iptc| !iptc.is_empty()) {
        place_iptc(iptc, &mut directory, output)?;
    }
    if let Some(resolution) = metadata.resolution {
        push_resolution(resolution, &mut directory);
    }
    directory.place_values(output)?;
    Ok(directory)
}

/// Adds the note to the EXIF directory. In most cameras its internal offsets, whose positions are unpublished, count
/// from the start of the block, which is now the start of the file. They stay valid when the note keeps its offset.
fn place_note(note: MakerNote<'_>, page: &mut Builder, output: &mut Output<'_>) -> Result<()> {
    if (output.position()..FARTHEST_NOTE).contains(&note.at) {
        output.fill_to(note.at)?;
    }
    let at = if output.position() == note.at { note.at } else { output.place(&[])? };
    output.write(note.bytes)?;
    let value = Value::Placed { at, count: note.bytes.len() as u64 };
    for entry in &mut page.fields {
        if let (tag::EXIF_IFD, Value::Directory(exif)) = (entry.tag, &mut entry.value) {
            exif.push(tag::MAKER_NOTE, Kind::UNDEFINED, value);
            break;
        }
    }
    Ok(())
}

/// Writes IPTC in words of 32 bits, the kind that Photoshop wrote first and libtiff still requires; zeros fill the last
/// word.
fn place_iptc(iptc: &[u8], directory: &mut Builder, output: &mut Output<'_>) -> Result<()> {
    let at = output.place(iptc)?;
    let words = (iptc.len() as u64).div_ceil(4);
    output.fill_to(at + 4 * words)?;
    directory.push(tag::IPTC, Kind::LONG, Value::Placed { at, count: words });
    Ok(())
}

fn push_resolution(resolution: Resolution, directory: &mut Builder) {
    let Some((x, y)) = rational(resolution.x).zip(rational(resolution.y)) else { return };
    const INCH: u16 = 2;
    directory.rational(tag::X_RESOLUTION, x);
    directory.rational(tag::Y_RESOLUTION, y);
    directory.shorts(tag::RESOLUTION_UNIT, &[INCH]);
}

/// Returns a positive number with four decimals as numerator and denominator.
fn rational(value: f64) -> Option<[u32; 2]> {
    let denominator: u32 = if value.fract() == 0.0 { 1 } else { 10_000 };
    let numerator = (value * f64::from(denominator) + 0.5).floor();
    let sound = (1.0..=f64::from(u32::MAX)).contains(&numerator);
    sound.then_some([numerator as u32, denominator])
}
