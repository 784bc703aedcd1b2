//! What a picture's metadata become when it is written anew at another size: EXIF, XMP, IPTC and texts by the user's say,
//! always upright, of the right size, and without thumbnails, which show the whole original.
//!
//! Bytes in, bytes out; no files. Read [`apply`] first, then `exif` for why nothing is moved.

mod compact;
mod exif;
mod iptc;
mod maker;
mod names;
mod texts;
mod tiff;
mod xmp;

use raster::{Metadata, Orientation, Size, Text, Warning};

raster::choices! {
    /// The metadata that a result may carry. The colour profile always stays: without it the colours would be wrong.
    ///
    /// A location is a coordinate, the name of a place, or maker notes of a form that is not known to be free of both.
    /// Captions, comments and keywords, which people write themselves, are not searched for places.
    pub enum Policy: default WithoutLocation {
        /// Everything that is still true, but for the location.
        WithoutLocation = "keep-without-location",
        /// Everything that is still true.
        Everything = "keep",
        /// Nothing.
        Nothing = "remove",
    }
}

/// What came of metadata.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// What goes into the file.
    pub metadata: Metadata,
    /// [`Warning::Skipped`] for parts that are too damaged to be carried: `exif`, `xmp`.
    pub warnings: Vec<Warning>,
}

/// The picture that metadata are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels as stored.
    pub size: Size,
    /// How it is to be turned; upright but where stored pixels are copied as they are.
    pub orientation: Orientation,
}

/// The metadata for `picture`. The profile comes out byte for byte whatever the policy, and a picture that lies on its
/// side is said to.
#[must_use]
pub fn apply(metadata: &Metadata, policy: Policy, picture: Picture) -> Applied {
    let mut warnings = Vec::new();
    let mut kept = colors_alone(metadata);
    if policy != Policy::Nothing {
        let exif = metadata.exif.as_deref();
        kept.exif = exif.and_then(|exif| {
            exif::rewrite(exif, policy, picture).unwrap_or_else(|exif::Broken| {
                warnings.push(Warning::Skipped("exif"));
                None
            })
        });
        kept.xmp = metadata.xmp.as_deref().and_then(|xmp| match xmp::rewrite(xmp, policy, picture) {
            Ok(rewritten) => Some(rewritten),
            Err(xmp::Broken) if policy == Policy::Everything => Some(xmp.to_vec()),
            Err(xmp::Broken) => {
                warnings.push(Warning::Skipped("xmp"));
                None
            }
        });
        kept.xmp_extension = metadata.xmp_extension.as_deref().filter(|_| kept.xmp.is_some()).and_then(|extension| {
            xmp::rewrite_extension(extension, policy, picture).unwrap_or_else(|xmp::Broken| {
                warnings.push(Warning::Skipped("xmp"));
                None
            })
        });
        kept.iptc = match policy {
            Policy::Everything => metadata.iptc.clone(),
            _ => metadata.iptc.as_deref().and_then(iptc::without_places),
        };
        kept.texts = texts::kept(&metadata.texts, policy);
        kept.resolution = metadata.resolution.or_else(|| exif::resolution(exif?));
    }
    if kept.exif.is_none() && picture.orientation != Orientation::Upright {
        kept.exif = Some(exif::orientation_alone(picture.orientation));
    }
    Applied { metadata: kept, warnings }
}

/// What no policy takes away: without it the colours would be wrong.
fn colors_alone(metadata: &Metadata) -> Metadata {
    Metadata { icc: metadata.icc.clone(), signal: metadata.signal, ..Metadata::default() }
}

/// Makes one packet of XMP and its extension where that has no more than `most` bytes; whether there is only one then.
pub fn join_xmp(metadata: &mut Metadata, most: usize) -> bool {
    let (Some(xmp), Some(extension)) = (&metadata.xmp, &metadata.xmp_extension) else { return true };
    let Some(joined) = xmp::joined(xmp, extension).filter(|joined| joined.len() <= most) else { return false };
    metadata.xmp = Some(joined);
    metadata.xmp_extension = None;
    true
}

/// Makes the packet of XMP, if it is well-formed, the extension of an empty one, for a format that has more room there.
pub fn extend_xmp(metadata: &mut Metadata) {
    if let Some(extension) = metadata.xmp.as_deref().and_then(xmp::unwrapped) {
        metadata.xmp = Some(xmp::EMPTY.into());
        metadata.xmp_extension = Some(extension);
    }
}

/// Moves texts to where a format without text chunks has a place for them: comments stay where `comments` says that they
/// have one, and title, author and copyright become EXIF where there is none.
pub fn fit_texts(metadata: &mut Metadata, comments: bool) {
    metadata.exif = metadata.exif.take().or_else(|| texts::exif(&metadata.texts));
    metadata.texts.retain(|text| comments && text.keyword == Text::COMMENT);
}

/// Whether a written file's metadata say no more than `policy` allows. Asked of the file itself, read again: a bug between
/// here and there must not cost anybody their address.
#[must_use]
pub fn respects(metadata: &Metadata, policy: Policy) -> bool {
    let picture = Picture { size: Size::new(1, 1), orientation: Orientation::Upright };
    let with = |policy| apply(metadata, policy, picture).metadata;
    match policy {
        Policy::Everything => true,
        // What the stricter policy takes away beyond the other is what tells places.
        Policy::WithoutLocation => with(Policy::WithoutLocation) == with(Policy::Everything),
        Policy::Nothing => {
            let orientation = metadata.exif.as_deref().and_then(raster::exif::orientation);
            *metadata == Metadata { exif: orientation.map(exif::orientation_alone), ..colors_alone(metadata) }
        }
    }
}
