//! The box `moov`: tracks, whose samples are the frames of an animation (ISO/IEC 14496-12 §8).

use raster::{Budget, Error, Result, Size};

use crate::fields::{Fields, FourCc};
use crate::property::{CodePoints, Property, code_points, configuration, profile};
use crate::{Cause, Extent, MOST_SAMPLES};

/// A track of pictures.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// The number by which others name it.
    pub id: u32,
    /// What it contains: `pict` for pictures, `auxv` for auxiliary ones, `soun` …
    pub handler: FourCc,
    /// The codec of its samples: `av01`, `hvc1` …
    pub codec: FourCc,
    /// The size of its frames; `None` if the file does not state it.
    pub size: Option<Size>,
    /// The properties of its samples.
    pub properties: Vec<Property>,
    /// The track whose auxiliary pictures these are.
    pub auxiliary_of: Option<u32>,
    /// The track with the alpha by which colours of this one were multiplied.
    pub premultiplied_by: Option<u32>,
    /// The units of time in a second.
    pub timescale: u32,
    /// How often it runs.
    pub plays: Plays,
    /// The frames, in the order of the file.
    pub samples: Vec<Sample>,
    /// The length of the track in units of the movie; all ones are "not stated".
    duration: u64,
}

/// How often an animation runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plays {
    /// The file does not say.
    #[default]
    Unknown,
    /// Without end.
    Forever,
    /// A number of times, at least 1.
    Times(u32),
}

/// A frame in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its coded data.
    pub data: Extent,
    /// The time for which it is shown, in units of the track.
    pub duration: u32,
}

/// The tables from which the samples are made.
#[derive(Debug, Default)]
struct Tables {
    /// The lengths of all samples, or of each one in turn if this is 0.
    len: u32,
    lens: Vec<u32>,
    count: usize,
    chunks: Vec<u64>,
    /// From this chunk on, counted from 1, chunks have so many samples.
    runs: Vec<[u32; 2]>,
    /// So many samples have this duration.
    durations: Vec<[u32; 2]>,
}

/// Reads the tracks of the box. `refused` makes the error for a defect. The samples are charged.
pub(crate) fn tracks(contents: &[u8], budget: &Budget, refused: impl Fn(Cause) -> Error) -> Result<Vec<Track>> {
    /// Files have a track of colours, one of alpha, one of sound.
    const MOST_TRACKS: usize = 16;
    let (mut tracks, mut fields) = (Vec::new(), Fields::new(contents));
    while let Some((kind, inner)) = fields.next_box().map_err(&refused)? {
        if kind == *b"trak" && tracks.len() < MOST_TRACKS {
            let (mut track, mut tables) = (Track::default(), Tables::default());
            track.read(inner, &mut tables, 0).map_err(&refused)?;
            track.samples = tables.samples(budget)?;
            tracks.push(track);
        }
    }
    Ok(tracks)
}

impl Track {
    /// Returns the code points of the colours.
    #[must_use]
    pub fn code_points(&self) -> Option<CodePoints> {
        code_points(self.properties.iter())
    }

    /// Returns the configuration of the decoder.
    #[must_use]
    pub fn configuration(&self) -> Option<&[u8]> {
        configuration(self.properties.iter())
    }

    /// Returns the ICC profile, byte for byte.
    #[must_use]
    pub fn profile(&self) -> Option<&[u8]> {
        profile(self.properties.iter())
    }

    /// Returns the bytes of memory of its properties.
    pub(crate) fn byte_len(&self) -> u64 {
        let list = self.properties.capacity() * size_of::<Property>();
        list as u64 + self.properties.iter().map(Property::byte_len).sum::<u64>()
    }

    fn read(&mut self, mut fields: Fields<'_>, tables: &mut Tables, depth: u32) -> Result<(), Cause> {
        /// `trak`, `mdia`, `minf`, `stbl`.
        const DEEPEST: u32 = 4;
        while let Some((kind, mut inner)) = fields.next_box()? {
            match &kind {
                b"mdia" | b"minf" | b"stbl" | b"edts" if depth < DEEPEST => self.read(inner, tables, depth + 1)?,
                b"tkhd" => self.read_header(inner)?,
                b"hdlr" => {
                    inner.bytes(8)?;
                    self.handler = inner.array()?;
                }
                b"mdhd" => {
                    let (version, _) = inner.version()?;
                    inner.bytes(if version == 1 { 16 } else { 8 })?;
                    self.timescale = inner.u32()?;
                }
                b"elst" => self.read_edits(inner)?,
                b"tref" => self.read_references(inner)?,
                b"stsd" => self.read_description(inner)?,
                _ => tables.read(kind, inner)?,
            }
        }
        Ok(())
    }

    fn read_header(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        let (version, _) = fields.version()?;
        let is_long = version == 1;
        fields.bytes(if is_long { 16 } else { 8 })?;
        self.id = fields.u32()?;
        fields.u32()?;
        self.duration = if is_long { fields.number(8)? } else { u64::from(fields.u32()?) };
        if self.duration == if is_long { u64::MAX } else { u64::from(u32::MAX) } {
            self.duration = u64::MAX;
        }
        // Two reserved numbers, layer, group, volume, reserved, a matrix of nine.
        fields.bytes(8 + 8 + 36)?;
        // Sides with 16 bits of fraction.
        self.size = Some(Size::new(fields.u32()? >> 16, fields.u32()? >> 16)).filter(|size| !size.is_empty());
        Ok(())
    }

    /// An edit that repeats: the track runs as often as its length contains that of the edit.
    fn read_edits(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        let (version, flags) = fields.version()?;
        if fields.u32()? != 1 {
            return Ok(());
        }
        let edit = fields.number(if version == 1 { 8 } else { 4 })?;
        self.plays = if flags & 1 == 0 {
            Plays::Times(1)
        } else if self.duration == u64::MAX || edit == 0 {
            Plays::Forever
        } else {
            Plays::Times(u32::try_from(self.duration.div_ceil(edit)).unwrap_or(u32::MAX).max(1))
        };
        Ok(())
    }

    fn read_references(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        while let Some((kind, mut inner)) = fields.next_box()? {
            match &kind {
                b"auxl" => self.auxiliary_of = Some(inner.u32()?),
                b"prem" => self.premultiplied_by = Some(inner.u32()?),
                _ => {}
            }
        }
        Ok(())
    }

    /// The first description of samples; files with pictures have one.
    fn read_description(&mut self, mut fields: Fields<'_>) -> Result<(), Cause> {
        fields.bytes(8)?;
        let Some((kind, mut entry)) = fields.next_box()? else { return Ok(()) };
        self.codec = kind;
        if self.handler == *b"soun" {
            return Ok(());
        }
        // The fields of a VisualSampleEntry (§12.1.3).
        entry.bytes(78)?;
        while let Some((kind, inner)) = entry.next_box()? {
            // `auxi` states the kind of auxiliary pictures, as `auxC` does for items.
            let kind = if kind == *b"auxi" { *b"auxC" } else { kind };
            self.properties.push(Property::read(kind, inner)?);
        }
        Ok(())
    }
}

impl Tables {
    fn read(&mut self, kind: FourCc, mut fields: Fields<'_>) -> Result<(), Cause> {
        if !matches!(&kind, b"stsz" | b"stco" | b"co64" | b"stsc" | b"stts") {
            return Ok(());
        }
        fields.version()?;
        if kind == *b"stsz" {
            self.len = fields.u32()?;
        }
        let count = (fields.u32()? as usize).min(MOST_SAMPLES);
        match &kind {
            b"stsz" => {
                self.count = count;
                let listed = if self.len == 0 { count } else { 0 };
                self.lens = (0..listed).map(|_| fields.u32()).collect::<Result<_, _>>()?;
            }
            b"stco" => self.chunks = (0..count).map(|_| fields.number(4)).collect::<Result<_, _>>()?,
            b"co64" => self.chunks = (0..count).map(|_| fields.number(8)).collect::<Result<_, _>>()?,
            b"stsc" => {
                let mut run = || {
                    let run = [fields.u32()?, fields.u32()?];
                    fields.u32()?;
                    Ok(run)
                };
                self.runs = (0..count).map(|_| run()).collect::<Result<_, _>>()?;
            }
            _ => self.durations = (0..count).map(|_| Ok([fields.u32()?, fields.u32()?])).collect::<Result<_, _>>()?,
        }
        Ok(())
    }

    /// Returns the samples, as far as all tables know them. Their number does not follow from the length of the file,
    /// so they are counted and charged first.
    fn samples(&self, budget: &Budget) -> Result<Vec<Sample>> {
        let most = if self.len > 0 { self.count } else { self.count.min(self.lens.len()) };
        let in_chunks = self.chunks().map(|(_, samples)| u64::from(samples)).fold(0, u64::saturating_add);
        let count = in_chunks.min(most as u64) as usize;
        let mut samples = budget.reserved(count as u64)?;
        let mut durations =
            self.durations.iter().flat_map(|&[count, duration]| core::iter::repeat_n(duration, count as usize));
        for (mut at, in_chunk) in self.chunks() {
            for _ in 0..(count - samples.len()).min(in_chunk as usize) {
                let len = if self.len > 0 { self.len } else { self.lens[samples.len()] };
                let data = Extent { at, len: Some(u64::from(len)) };
                samples.push(Sample { data, duration: durations.next().unwrap_or(0) });
                at = at.saturating_add(u64::from(len));
            }
        }
        Ok(samples)
    }

    /// Returns the place of each chunk and the number of its samples.
    fn chunks(&self) -> impl Iterator<Item = (u64, u32)> {
        let mut runs = self.runs.iter().peekable();
        let mut in_chunk = 0;
        (1_u32..).zip(&self.chunks).map(move |(chunk, &start)| {
            while let Some(&[_, samples]) = runs.next_if(|&&[first, _]| first <= chunk) {
                in_chunk = samples;
            }
            (start, in_chunk)
        })
    }
}
