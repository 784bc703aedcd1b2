//! The metadata of a written picture: those of the source that the user's policy keeps and the format supports.

use metadata::{Applied, Picture, Policy};
use raster::{Budget, Metadata, MetadataRoom, Result, Texts, Warning};

/// Returns the metadata for `picture` in a file with that capacity, charged to the budget.
///
/// # Errors
/// `Limit` when the budget is too small for them.
pub(crate) fn for_picture(
    source: &Metadata,
    room: &MetadataRoom,
    policy: Policy,
    picture: Picture,
    budget: &Budget,
) -> Result<Applied> {
    budget.charge(source.byte_len())?;
    let mut applied = metadata::apply(source, policy, picture);
    let skipped = fit(&mut applied.metadata, room);
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
