//! The metadata of a page. They never make a picture fail: damaged parts are left out.

use ifd::{Directory, File, Kind, tag};
use raster::{Budget, Metadata, Notes, Resolution, Result, Warning, icc, photoshop};

use super::exif;
use super::meaning::Meaning;
use super::page::Page;

/// The largest XMP and IPTC that are kept, in bytes.
const MAX_TEXT: u64 = 16 << 20;

/// Reads the metadata of a page.
///
/// # Errors
/// `Io`, `Limit`.
pub(super) fn read(file: &mut File<'_>, page: &Page, budget: &Budget, notes: &Notes) -> Result<Metadata> {
    let directory = &page.directory;
    let is_coded = matches!(page.meaning, Meaning::Lab(_) | Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32);
    // The samples of these pages are converted to sRGB here, so their profile no longer describes them.
    let mut profile = value(file, directory, tag::ICC_PROFILE, icc::LONGEST as u64, budget)?.filter(|_| !is_coded);
    if let Some(bytes) = &mut profile {
        let len = icc::sound(bytes, profile_space(&page.meaning)).map_or(0, <[u8]>::len);
        bytes.truncate(len);
        if len == 0 {
            notes.warn(Warning::BrokenProfile);
        }
    }
    Ok(Metadata {
        icc: profile.filter(|profile| !profile.is_empty()),
        exif: exif::rebuild(file, directory, budget)?,
        xmp: value(file, directory, tag::XMP, MAX_TEXT, budget)?.and_then(packet),
        iptc: iptc(file, directory, budget)?,
        resolution: resolution(file, directory)?,
        ..Metadata::default()
    })
}

/// Returns the bytes of a tag, if there are any, at most `most`, and all of them are in the file.
fn value(file: &mut File<'_>, directory: &Directory, tag: u16, most: u64, budget: &Budget) -> Result<Option<Vec<u8>>> {
    let Some(entry) = directory.get(tag) else { return Ok(None) };
    if !(1..=most).contains(&entry.value_len()) || file.present(entry) < entry.count {
        return Ok(None);
    }
    file.bytes(entry, most, budget).map(Some)
}

/// Returns the colour space that the profile of such a page must have.
const fn profile_space(meaning: &Meaning) -> [u8; 4] {
    match meaning {
        Meaning::Gray { .. } => icc::GRAY,
        Meaning::Cmyk => icc::CMYK,
        _ => icc::RGB,
    }
}

/// Returns an XMP packet, if it is text, without the zeros that fill the field.
fn packet(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.iter().rposition(|&byte| byte != 0)? + 1;
    bytes.truncate(end);
    core::str::from_utf8(&bytes).is_ok().then_some(bytes)
}

/// Returns IPTC-IIM datasets, from their own tag or from Photoshop's resources, where Photoshop always writes them.
fn iptc(file: &mut File<'_>, directory: &Directory, budget: &Budget) -> Result<Option<Vec<u8>>> {
    if let Some(datasets) = beginning_with(&[0x1C], file, directory, tag::IPTC, budget)?.and_then(whole_datasets) {
        return Ok(Some(datasets));
    }
    // Image resources may contain megabytes of paths and previews; only the datasets are kept.
    let scope = budget.scope();
    let resources = beginning_with(b"8BIM", file, directory, tag::PHOTOSHOP, &scope)?;
    let Some(datasets) = resources.as_deref().and_then(photoshop::iptc) else { return Ok(None) };
    budget.charge(datasets.len() as u64)?;
    Ok(whole_datasets(datasets.to_vec()))
}

/// Returns the bytes of a tag, if they begin with `start`. Many writers store them with the kind LONG, and some of
/// these writers then reverse each four bytes.
fn beginning_with(
    start: &[u8],
    file: &mut File<'_>,
    directory: &Directory,
    tag: u16,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let Some(mut bytes) = value(file, directory, tag, MAX_TEXT, budget)? else { return Ok(None) };
    let is_long = directory.get(tag).is_some_and(|entry| entry.kind == Kind::LONG);
    if is_long && !bytes.starts_with(start) {
        bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|long| long.reverse());
    }
    Ok(Some(bytes).filter(|bytes| bytes.starts_with(start)))
}

/// Returns the datasets without the zeros that fill the field.
fn whole_datasets(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let len = datasets_len(&bytes);
    bytes.truncate(len);
    (len > 0).then_some(bytes)
}

/// Returns the length of the whole datasets (IIM 4.2 §1.5): a marker, record, number, a length of 15 bits, the value.
fn datasets_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some(&[0x1C, _, _, high, low]) = bytes[len..].first_chunk() {
        let value = usize::from(u16::from_be_bytes([high, low]));
        // The high bit announces a longer length, which is not used in practice.
        if value > 0x7FFF || len + 5 + value > bytes.len() {
            break;
        }
        len += 5 + value;
    }
    len
}

/// Returns the pixels per inch, if the file states a unit.
fn resolution(file: &mut File<'_>, directory: &Directory) -> Result<Option<Resolution>> {
    let x = file.reals::<1>(directory, tag::X_RESOLUTION)?;
    let y = file.reals::<1>(directory, tag::Y_RESOLUTION)?;
    let factor = match file.number(directory, tag::RESOLUTION_UNIT)?.unwrap_or(2) {
        2 => 1.0,
        3 => 2.54,
        _ => return Ok(None),
    };
    let (Some([x]), Some([y])) = (x.or(y), y.or(x)) else { return Ok(None) };
    let is_sound = |density: f64| density.is_finite() && density > 0.0;
    Ok((is_sound(x) && is_sound(y)).then_some(Resolution { x: x * factor, y: y * factor }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datasets_end_where_the_padding_starts() {
        let two = [&[0x1C, 2, 80, 0, 3][..], b"Ann", &[0x1C, 2, 5, 0, 0]].concat();
        assert_eq!(datasets_len(&two), two.len());
        assert_eq!(datasets_len(&[&two[..], &[0, 0, 0]].concat()), two.len());
        assert_eq!(datasets_len(&two[..7]), 0, "a cut dataset is none");
        assert_eq!(datasets_len(b"text"), 0);
    }

    #[test]
    fn packets_are_text_without_padding() {
        assert_eq!(packet(b"<x/>\0\0".to_vec()), Some(b"<x/>".to_vec()));
        assert_eq!(packet(b"\xFE\xFF\0<".to_vec()), None);
        assert_eq!(packet(vec![0; 4]), None);
    }
}
