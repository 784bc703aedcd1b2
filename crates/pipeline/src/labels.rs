//! What a written picture says about itself: the source's metadata by the user's policy, as far as the format holds them.

use metadata::{Applied, Picture, Policy};
use raster::{Budget, Format, Metadata, Result};

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
    applied.metadata.signal = applied.metadata.signal.filter(|_| format == Format::Png);
    applied.warnings.extend(fit_metadata(format, &mut applied.metadata));
    Ok(applied)
}
