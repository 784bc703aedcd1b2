//! What a written picture says about itself: the source's metadata by the user's policy, as far as the format holds them.

use metadata::{Applied, Picture, Policy};
use raster::{Budget, Format, Metadata, Result, Warning};

use crate::codecs::fit_metadata;

/// The metadata for `picture` in a file of that format, paid from the budget.
///
/// # Errors
/// `Limit` when the budget has no room for them.
pub(crate) fn for_picture(
    source: &Metadata,
    (format, policy): (Format, Policy),
    picture: Picture,
    budget: &Budget,
) -> Result<Applied> {
    budget.charge(source.byte_len())?;
    let mut applied = metadata::apply(source, policy, picture);
    if matches!(format, Format::Jpeg | Format::Tiff) {
        metadata::fit_texts(&mut applied.metadata, format == Format::Jpeg);
    }
    applied.warnings.extend(fit_extension(format, &mut applied.metadata));
    applied.metadata.signal = applied.metadata.signal.filter(|_| matches!(format, Format::Png | Format::Raw));
    applied.warnings.extend(fit_metadata(format, &mut applied.metadata));
    Ok(applied)
}

/// XMP in two parts becomes one, and in a JPEG two where one is too long; a note where neither can be.
fn fit_extension(format: Format, metadata: &mut Metadata) -> Option<Warning> {
    let most = if format == Format::Jpeg { codec_jpeg::MAX_XMP } else { usize::MAX };
    if metadata::join_xmp(metadata, most) {
        if metadata.xmp.as_ref().is_some_and(|xmp| xmp.len() > most) {
            metadata::extend_xmp(metadata);
        }
        return None;
    }
    if format == Format::Jpeg && codec_jpeg::can_extend(metadata) {
        return None;
    }
    metadata.xmp_extension = None;
    Some(Warning::Skipped("xmp"))
}
