//! The box of an animation (ISO/IEC 14496-12 §8): what describes its pictures and its sound stays.

use raster::{Budget, Result};

use super::{Boxed, Changes, Copy, Fault, IN_FRAGMENTS, Piece};
use crate::fields::FourCc;
use crate::meta_box::MetaBox;
use crate::track::Track;
use crate::{Extent, MOST_SAMPLES};

/// The boxes of a track that are copied as they are.
const KEPT: [FourCc; 19] = [
    *b"tkhd", *b"tref", *b"edts", *b"mdhd", *b"hdlr", *b"vmhd", *b"smhd", *b"nmhd", *b"dinf", *b"stts", *b"ctts",
    *b"cslg", *b"stsc", *b"stsz", *b"stco", *b"co64", *b"stss", *b"sgpd", *b"sbgp",
];

/// The boxes of a description of pictures that are copied.
const KEPT_IN_ENTRIES: [FourCc; 15] = [
    *b"av1C", *b"hvcC", *b"colr", *b"auxi", *b"ccst", *b"pixi", *b"pasp", *b"clap", *b"irot", *b"imir", *b"clli",
    *b"mdcv", *b"cclv", *b"amve", *b"btrt",
];

impl Track {
    /// Whether a copy has the track: pictures, those that belong to others, and sound.
    fn is_copied(&self) -> bool {
        matches!(&self.handler, b"pict" | b"vide" | b"auxv" | b"soun") || is_picture(self.codec)
    }
}

/// Whether samples of that codec are pictures.
const fn is_picture(codec: FourCc) -> bool {
    matches!(&codec, b"av01" | b"hvc1" | b"hev1")
}

impl Copy {
    /// Adds the samples of the tracks that are copied.
    pub(super) fn samples(&mut self, tracks: &[Track], budget: &Budget) -> Result<()> {
        for track in tracks.iter().filter(|track| track.is_copied()) {
            // The list may have twice the room that it needs, and is copied while it grows.
            budget.charge(3 * size_of_val(track.samples.as_slice()) as u64)?;
            self.kept.extend(track.samples.iter().map(|sample| sample.data.range()));
        }
        Ok(())
    }

    /// Adds the contents of the box `moov`.
    pub(super) fn movie(&mut self, mut moov: Piece<'_>, changes: &Changes<'_>) -> Result<(), Fault> {
        let mut tracks = changes.tracks.iter();
        while let Some(inner) = moov.next_box()? {
            match &inner.kind {
                b"mvhd" => self.keep(inner.all.range()),
                b"mvex" => return Err(Fault::Refused(IN_FRAGMENTS)),
                b"trak" => {
                    let track = tracks.next().ok_or(Fault::Refused("so many tracks"))?;
                    if track.samples.len() >= MOST_SAMPLES {
                        return Err(Fault::Refused("replacing the metadata of an animation of so many frames"));
                    }
                    if track.is_copied() {
                        self.track(&inner, changes, 0)?;
                    } else {
                        self.blank(inner.header());
                    }
                }
                _ => self.blank(inner.header()),
            }
        }
        Ok(())
    }

    /// Adds a track, or a box of one.
    fn track(&mut self, outer: &Boxed<'_>, changes: &Changes<'_>, depth: u32) -> Result<(), Fault> {
        /// `trak`, `mdia`, `minf`, `stbl`.
        const DEEPEST: u32 = 4;
        self.keep(outer.header());
        let mut contents = outer.contents;
        while let Some(inner) = contents.next_box()? {
            match &inner.kind {
                b"mdia" | b"minf" | b"stbl" if depth < DEEPEST => self.track(&inner, changes, depth + 1)?,
                kind if KEPT.contains(kind) => {
                    self.keep(inner.all.range());
                }
                b"stsd" => self.descriptions(&inner)?,
                b"stz2" => return Err(Fault::Refused("short lengths of frames")),
                b"meta" if depth == 0 => self.track_meta(&inner, changes)?,
                _ => self.blank(inner.header()),
            }
        }
        Ok(())
    }

    /// Adds the box `meta` of a track. Its items stay if they are those of the file, at the same place.
    fn track_meta(&mut self, outer: &Boxed<'_>, changes: &Changes<'_>) -> Result<(), Fault> {
        let meta = MetaBox::read(outer.contents.bytes, outer.contents.at)?;
        let len_of = |extents: &Option<Vec<Extent>>| {
            let same = changes.replaced.iter().find(|(item, _)| extents.is_some() && item.extents == *extents);
            same.map_or(0, |(_, payload)| payload.len() as u64)
        };
        let lens = meta.items.iter().map(|item| (item.id, len_of(&item.extents))).collect();
        self.keep(outer.header());
        self.meta(outer.contents, &Changes { replaced: Vec::new(), lens, tracks: &[] })
    }

    /// Adds the descriptions of samples without boxes that are not known to describe pictures. Those of sound are
    /// copied as a whole.
    fn descriptions(&mut self, stsd: &Boxed<'_>) -> Result<(), Fault> {
        /// The fields of a `VisualSampleEntry` (§12.1.3).
        const FIELDS: usize = 78;
        let mut contents = stsd.contents;
        self.keep(stsd.header());
        self.keep(contents.next(8)?.range());
        while let Some(mut entry) = contents.next_box()? {
            if !is_picture(entry.kind) {
                self.keep(entry.all.range());
                continue;
            }
            self.keep(entry.header());
            self.keep(entry.contents.next(FIELDS)?.range());
            while let Some(inner) = entry.contents.next_box()? {
                match KEPT_IN_ENTRIES.contains(&inner.kind) {
                    true => self.keep(inner.all.range()),
                    false => self.blank(inner.header()),
                }
            }
        }
        Ok(())
    }
}
