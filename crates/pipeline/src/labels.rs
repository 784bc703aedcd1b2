//! The metadata of a written picture: those of the source that the user's policy keeps and the format supports.

use metadata::{Applied, Picture, Policy};
use raster::{Budget, Metadata, MetadataRoom, Resolution, Result, Texts, Warning};

/// The largest number of copies of the source that are held at once while it is rewritten: the result, values on the
/// way to it, and an XMP packet before and after it is joined with its extension.
pub(crate) const COPIES: u64 = 4;

/// Returns the metadata for `picture` in a file with that capacity, charged to the budget. `density`, in pixels per
/// inch, replaces that of the source.
///
/// # Errors
/// `Limit` when the budget is too small for them.
pub(crate) fn for_picture(
    source: &Metadata,
    room: &MetadataRoom,
    (policy, density): (Policy, Option<f64>),
    picture: Picture,
    budget: &Budget,
) -> Result<Applied> {
    let working = budget.scope();
    working.charge(COPIES * source.byte_len())?;
    let mut applied = metadata::apply(source, policy, picture);
    if let Some(density) = density {
        metadata::set_resolution(&mut applied.metadata, Resolution { x: density, y: density });
    }
    let skipped = fit(&mut applied.metadata, room);
    drop(working);
    budget.charge(applied.metadata.byte_len())?;
    applied.warnings.extend(skipped.into_iter().map(Warning::Skipped));
    Ok(applied)
}

/// Removes unsupported metadata, and returns the names of parts that are too long for the format.
fn fit(metadata: &mut Metadata, room: &MetadataRoom) -> Vec<&'static str> {
    if room.texts != Texts::Any {
        metadata::fit_texts(metadata, room.texts == Texts::Comments);
    }
    metadata.iptc = metadata.iptc.take().filter(|_| room.iptc);
    metadata.resolution = metadata.resolution.filter(|_| room.resolution);
    metadata.signal = metadata.signal.filter(|_| room.signal);
    let lost_extension = fit_xmp_extension(metadata, room);
    let lost_exif = is_too_long(&mut metadata.exif, room.exif);
    let lost_xmp = is_too_long(&mut metadata.xmp, room.xmp) || lost_extension;
    [lost_exif.then_some("exif"), lost_xmp.then_some("xmp")].into_iter().flatten().collect()
}

/// Joins two packets of XMP into one, or splits one that is too long if the format supports an extension. Returns
/// whether an extension is lost because neither is possible.
fn fit_xmp_extension(metadata: &mut Metadata, room: &MetadataRoom) -> bool {
    if room.xmp == 0 {
        metadata.xmp_extension = None;
        return false;
    }
    let Some(can_hold) = room.xmp_extension else {
        let joined = metadata::join_xmp(metadata, room.xmp);
        metadata.xmp_extension = None;
        return !joined;
    };
    if metadata::join_xmp(metadata, room.xmp) {
        if metadata.xmp.as_ref().is_some_and(|xmp| xmp.len() > room.xmp) {
            metadata::extend_xmp(metadata);
        }
        return false;
    }
    let lost = !can_hold(metadata);
    if lost {
        metadata.xmp_extension = None;
    }
    lost
}

/// Removes a part that is longer than the capacity. Returns whether that deserves a warning: a format without any
/// capacity loses all such parts, which is a known property of the format.
fn is_too_long(part: &mut Option<Vec<u8>>, room: usize) -> bool {
    part.take_if(|part| part.len() > room).is_some() && room > 0
}

#[cfg(test)]
mod tests {
    use raster::{Format, Limits, Orientation, Size, Text};
    use testkit::memory;

    use super::*;
    use crate::codecs;

    /// Returns a packet of about `len` bytes.
    fn packet(property: &str, len: usize) -> Vec<u8> {
        let text = "fjord ".repeat(len / 6);
        let namespaces = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:x='adobe:ns:meta/'";
        format!(
            "<x:xmpmeta {namespaces}><rdf:RDF><rdf:Description xmlns:a='urn:a'><a:{property}>{text}</a:{property}>\
             </rdf:Description></rdf:RDF></x:xmpmeta>"
        )
        .into_bytes()
    }

    /// Returns metadata with `len` bytes in every part, in values that every policy but `Nothing` keeps.
    fn large(len: usize) -> Metadata {
        let mut exif = ifd::Builder::new(ifd::Order::Little);
        exif.text(ifd::tag::ARTIST, &"A".repeat(len));
        let record = |number| [&[0x1C, 2, number, 0x70, 0][..], &[b'a'; 0x7000]].concat();
        Metadata {
            icc: Some(vec![7; len]),
            exif: Some(exif.into_block().unwrap()),
            xmp: Some(packet("first", len)),
            xmp_extension: Some(packet("second", len)),
            iptc: Some((0..len / 0x7000).flat_map(|_| record(120)).collect()),
            texts: vec![
                Text::comment("c".repeat(len)),
                Text { keyword: "Title".into(), ..Text::comment("t".repeat(len)) },
            ],
            ..Metadata::default()
        }
    }

    #[test]
    fn the_budget_counts_what_is_really_allocated() {
        let whole = large(1 << 20);
        let alone = |exif, xmp, text: bool| Metadata {
            exif: whole.exif.clone().filter(|_| exif),
            xmp: whole.xmp.clone().filter(|_| xmp),
            xmp_extension: whole.xmp_extension.clone().filter(|_| xmp),
            texts: whole.texts.iter().filter(|_| text).cloned().collect(),
            ..Metadata::default()
        };
        let sources = [alone(true, false, false), alone(false, true, false), alone(false, false, true), whole.clone()];
        let picture = Picture { size: Size::new(40, 30), orientation: Orientation::Upright, is_converted: false };
        for format in [Format::Jpeg, Format::Png, Format::Tiff, Format::WebP] {
            let room = &codecs::traits(format).unwrap().metadata;
            for (policy, source) in Policy::ALL.iter().flat_map(|&policy| sources.iter().map(move |s| (policy, s))) {
                let what = format!("{format} {policy:?} of {}", source.byte_len());
                let made = memory::counted(&what, &Limits::default(), |budget| {
                    let made = for_picture(source, room, (policy, None), picture, budget).unwrap();
                    assert!(made.metadata.byte_len() <= budget.used(), "{what}");
                    made
                });
                assert!(policy != Policy::Nothing || made.metadata.exif.is_none());
            }
        }
    }
}
