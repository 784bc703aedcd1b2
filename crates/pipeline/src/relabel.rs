//! The copy of a picture with other metadata, or turned without loss. It is for small files that would only grow by
//! resizing: they must lose their coordinates like every other result.

use metadata::{Picture, Policy};
use raster::{Budget, ByteSink, ByteSource, Error, ImageInfo, Limits, Notes, Orientation, Result, Warning};

use crate::codecs::{self, exif_orientation, header};
use crate::run::Report;
use crate::seal::Seal;
use crate::verify::{Promise, read_back};
use crate::{gain_map, labels, sniff};

/// The changes of a copy.
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    /// The metadata that stay.
    pub policy: Policy,
    /// The density that the copy states, in pixels per inch; that of the source if `None`.
    pub density: Option<f64>,
    /// The turn of the upright picture.
    pub turn: Orientation,
}

impl From<Policy> for Changes {
    /// Returns changes of the metadata only.
    fn from(policy: Policy) -> Self {
        Self { policy, density: None, turn: Orientation::Upright }
    }
}

/// Copies `source` to `sink` with `changes`. Pixels are not decoded. Without a turn, the orientation stays under every
/// policy; a turned copy is stored upright. JPEG, PNG, GIF, WebP, and most files of AVIF and JPEG XL are
/// supported, turns of JPEG only.
///
/// # Errors
/// Any; `Unsupported` for other formats and files, and for JPEGs that cannot be turned without loss. After an error the
/// output is incomplete.
pub fn relabel(source: &dyn ByteSource, sink: &mut dyn ByteSink, changes: &Changes, limits: &Limits) -> Result<Report> {
    let &Changes { policy, density, turn } = changes;
    let budget = Budget::new(limits);
    let format = sniff(source)?;
    let notes = Notes::default();
    let before = header(format, source, &budget, &notes)?;
    let turn = (turn != Orientation::Upright).then(|| before.orientation.then(turn));
    let expected = turned(&before, turn);
    let orientation = exif_orientation(format, expected.orientation);
    let picture = Picture { size: expected.size, orientation, is_converted: false };
    let room = &codecs::traits(format)?.metadata;
    if before.gain_map && !room.gain_map {
        return Err(Error::Unsupported { format, feature: "copying a picture with this gain map" });
    }
    let mut labels = labels::for_picture(&before.metadata, room, (policy, density), picture, &budget)?;
    labels.metadata.gain_map = gain_map::copied(source, &before, (policy, turn), &budget)?;
    let loses_gain_map = before.gain_map && labels.metadata.gain_map.is_none();
    if turn.is_some() && loses_gain_map {
        return Err(Error::Unsupported { format, feature: "turning this gain map without loss" });
    }
    let mut seal = Seal::new(sink);
    match turn {
        Some(turn) => codecs::turn(format, source, &mut seal, (turn, &labels.metadata), &budget)?,
        None => codecs::rewrite_metadata(format, source, &mut seal, &labels.metadata, &budget)?,
    }

    let byte_len = seal.len();
    let crc32 = seal.crc32()?;
    let promise =
        Promise { has_gain_map: labels.metadata.gain_map.is_some(), ..Promise::same_picture(&expected, policy) };
    let held = promise.byte_len() + before.metadata.byte_len() + labels.metadata.byte_len();
    let (after, memory) = read_back(&*seal.reread()?, limits, held)?;
    promise.verify(&after)?;
    labels.warnings.into_iter().for_each(|warning| notes.warn(warning));
    if loses_gain_map {
        notes.warn(Warning::GainMapDropped);
    }
    let (memory, warnings) = (budget.peak().max(memory), notes.warnings());
    Ok(Report { format, size: after.size, frames: after.frames, byte_len, crc32, warnings, memory })
}

/// Returns the description of a file whose stored picture is turned.
fn turned(info: &ImageInfo, turn: Option<Orientation>) -> ImageInfo {
    let Some(turn) = turn else { return info.clone() };
    ImageInfo { size: turn.turn(info.size), orientation: Orientation::Upright, ..info.clone() }
}
