//! Rewrites a picture's metadata (EXIF, XMP, IPTC and texts) for a new file. The result contains what the user's
//! [`Policy`] allows, with the orientation and the size of the new picture, and without thumbnails, which show the old
//! picture.
//!
//! The functions take and return bytes; they do not read files. Read [`apply`] first, then `exif` for why no value is
//! moved.
//!
//! ```
//! use metadata::{Picture, Policy};
//! use raster::{Metadata, Orientation, Size};
//!
//! let mut exif = ifd::Builder::new(ifd::Order::Little);
//! let mut gps = ifd::Builder::new(ifd::Order::Little);
//! gps.text(1, "N");
//! exif.directory(ifd::tag::GPS_IFD, gps);
//! exif.text(ifd::tag::ARTIST, "Ann");
//! let source = Metadata { exif: Some(exif.into_block()?), ..Metadata::default() };
//! assert!(!metadata::respects(&source, Policy::WithoutLocation));
//!
//! let picture = Picture { size: Size::new(640, 480), orientation: Orientation::Upright, is_converted: false };
//! let kept = metadata::apply(&source, Policy::WithoutLocation, picture).metadata;
//! assert!(metadata::respects(&kept, Policy::WithoutLocation));
//! let block = kept.exif.unwrap();
//! assert!(block.windows(3).any(|bytes| bytes == b"Ann"));
//! # Ok::<(), raster::Error>(())
//! ```

mod compact;
mod exif;
mod iptc;
mod maker;
mod names;
mod policy;
mod texts;
mod xmp;

use raster::{Metadata, Orientation, Resolution, Size, Text, Warning};

pub use policy::{Picture, Policy};

/// The result of [`apply`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// The metadata for the file.
    pub metadata: Metadata,
    /// [`Warning::Skipped`] for blocks that are too damaged to be kept: `exif`, `xmp`.
    pub warnings: Vec<Warning>,
}

/// Rewrites metadata for `picture`. Every policy keeps the colour profile byte for byte, and an orientation other than
/// upright.
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
        kept.unread = metadata.unread && policy == Policy::Everything;
    }
    if kept.exif.is_none() && picture.orientation != Orientation::Upright {
        kept.exif = exif::orientation_alone(picture.orientation);
    }
    Applied { metadata: kept, warnings }
}

/// Returns the profile and the signal, which every policy keeps because the colours would be wrong without them.
fn colors_alone(metadata: &Metadata) -> Metadata {
    Metadata { icc: metadata.icc.clone(), signal: metadata.signal, ..Metadata::default() }
}

/// Sets the density. EXIF states the new one where it states one; XMP states none.
pub fn set_resolution(metadata: &mut Metadata, resolution: Resolution) {
    metadata.resolution = Some(resolution);
    if let Some(exif) = &mut metadata.exif {
        exif::set_resolution(exif, resolution);
    }
    for packet in [&mut metadata.xmp, &mut metadata.xmp_extension].into_iter().flatten() {
        if let Some(without) = xmp::without_resolution(packet) {
            *packet = without;
        }
    }
}

/// Joins XMP and its extension into one packet if that has at most `most` bytes. Returns whether no extension is left.
pub fn join_xmp(metadata: &mut Metadata, most: usize) -> bool {
    let (Some(xmp), Some(extension)) = (&metadata.xmp, &metadata.xmp_extension) else { return true };
    let Some(joined) = xmp::joined(xmp, extension).filter(|joined| joined.len() <= most) else { return false };
    metadata.xmp = Some(joined);
    metadata.xmp_extension = None;
    true
}

/// Returns an XMP packet with its properties of a gain map only, or `None` when it has none or is not well-formed. They
/// are numbers for the screen, like a colour profile.
#[must_use]
pub fn gain_map_xmp(xmp: &[u8]) -> Option<Vec<u8>> {
    xmp::gain_map_alone(xmp)
}

/// Turns the XMP packet, if it is well-formed, into the extension of an empty packet. It is for formats whose
/// extensions may be longer than packets.
pub fn extend_xmp(metadata: &mut Metadata) {
    if let Some(extension) = metadata.xmp.as_deref().and_then(xmp::unwrapped) {
        metadata.xmp = Some(raster::xmp::EMPTY.into());
        metadata.xmp_extension = Some(extension);
    }
}

/// Fits texts into a format without text chunks: comments stay if the format has `comments`, and title, author and
/// copyright become EXIF if the picture has none.
pub fn fit_texts(metadata: &mut Metadata, comments: bool) {
    metadata.exif = metadata.exif.take().or_else(|| texts::exif(&metadata.texts));
    metadata.texts.retain(|text| comments && text.keyword == Text::COMMENT);
}

/// Whether metadata contain no more than `policy` allows. The pipeline calls it for the metadata of the written file,
/// so that a bug in a writer cannot publish a location.
///
/// A thumbnail is not a location. So a file without a location respects [`Policy::WithoutLocation`] and may be copied
/// unchanged, with its thumbnail, which shows the same picture; only [`apply`] removes thumbnails.
#[must_use]
pub fn respects(metadata: &Metadata, policy: Policy) -> bool {
    let picture = Picture { size: Size::new(1, 1), orientation: Orientation::Upright, is_converted: false };
    let with = |policy| apply(metadata, policy, picture).metadata;
    match policy {
        Policy::Everything => true,
        // What this policy removes beyond `Everything` is a location.
        Policy::WithoutLocation => with(Policy::WithoutLocation) == with(Policy::Everything),
        Policy::Nothing => {
            let orientation = metadata.exif.as_deref().and_then(ifd::orientation);
            let exif = orientation.and_then(exif::orientation_alone);
            // The directory of a file with a gain map says nothing about the picture's origin.
            let xmp = metadata.xmp.clone().filter(|xmp| gain_map_xmp(xmp).is_some_and(|alone| alone == *xmp));
            // The density is a number for the printer.
            let resolution = metadata.resolution;
            *metadata == Metadata { exif, xmp, resolution, ..colors_alone(metadata) }
        }
    }
}

/// Whether metadata contain no more than `policy` allows, decided without rewriting them, for modules that only read.
/// It can be false although [`respects`] is true, never the reverse for a packet that is well-formed. Of formats with
/// IPTC or texts it is false, because those modules read none.
#[must_use]
pub fn surely_respects(metadata: &Metadata, policy: Policy) -> bool {
    let Metadata { exif, xmp, xmp_extension, iptc, texts, gain_map, unread, .. } = metadata;
    let has_others = iptc.is_some() || !texts.is_empty() || gain_map.is_some() || *unread;
    let mut packets = [xmp, xmp_extension].into_iter().flatten();
    match policy {
        Policy::Everything => true,
        Policy::Nothing => {
            let is_empty = exif.as_deref().is_none_or(exif::is_orientation_alone);
            !has_others && is_empty && packets.next().is_none()
        }
        Policy::WithoutLocation => {
            let has_place = exif.as_deref().is_some_and(exif::may_have_place);
            !has_others && !has_place && !packets.any(|packet| names::may_name_place(packet))
        }
    }
}
