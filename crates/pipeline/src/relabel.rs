//! The copy of a picture with other metadata. It is for small files that would only grow by resizing: they must lose
//! their coordinates like every other result.

use metadata::{Picture, Policy};
use raster::{Budget, ByteSink, ByteSource, Limits, Notes, Result, Warning};

use crate::codecs::{self, open};
use crate::run::Report;
use crate::seal::Seal;
use crate::verify::{Promise, read_back};
use crate::{gain_map, labels, sniff};

/// Copies `source` to `sink` with the metadata that `policy` keeps, and with `density` in pixels per inch, if given;
/// pixels are not decoded, and the orientation stays under every policy. JPEG, PNG, GIF and WebP are supported.
///
/// # Errors
/// Any; `Unsupported` for other formats. After an error the output is incomplete.
pub fn relabel(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    policy: Policy,
    density: Option<f64>,
    limits: &Limits,
) -> Result<Report> {
    let budget = Budget::new(limits);
    let format = sniff(source)?;
    let notes = Notes::default();
    let before = open(format, source, &budget, &notes)?.info().clone();
    let picture = Picture { size: before.size, orientation: before.orientation, is_converted: false };
    let room = &codecs::traits(format)?.metadata;
    let mut labels = labels::for_picture(&before.metadata, room, (policy, density), picture, &budget)?;
    labels.metadata.gain_map = gain_map::copied(source, &before, policy, &budget)?;
    let loses_gain_map = before.gain_map && labels.metadata.gain_map.is_none();
    let mut seal = Seal::new(sink);
    codecs::rewrite_metadata(format, source, &mut seal, &labels.metadata, &budget)?;

    let byte_len = seal.len();
    let crc32 = seal.crc32()?;
    let promise =
        Promise { has_gain_map: labels.metadata.gain_map.is_some(), ..Promise::same_picture(&before, policy) };
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
