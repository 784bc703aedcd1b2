//! The gain map of a picture. It is cropped, resized and turned like the picture, and written in its own quality.

use std::rc::Rc;

use metadata::Policy;
use raster::steps::{pause, retried};
use raster::{
    Budget, ByteSink, ByteSource, Format, GainMap, ImageInfo, ImageSpec, Metadata, Notes, Orientation, Rect, Result,
    Size, StoredGainMap, Wanted, unless_damaged,
};

use resample::Area;

use crate::codecs::{self, Encoding, describes_gain_map, find_gain_map, open, rewrite_metadata};
use crate::frames::Frames;
use crate::job::{Decoding, Job, LightChoice, Part, ProfileChoice, Sharpening};
use crate::last::LastPicture;
use crate::picture::Picture;
use crate::progress::Progress;
use crate::row_loop::write_picture;
use crate::sniff;
use crate::stages::Resources;

/// The precision of a crop of the map, in fractions of its pixel.
const FRACTIONS: u32 = 4096;

/// Returns the gain map for the only picture of a job, or `None` when the source or the output has none, when it is
/// damaged, and when it does not fit the picture any more: with borders, or as the gains of converted colours.
///
/// # Errors
/// `Io`.
pub(crate) async fn resized(frames: &Frames<'_>, job: &Job, budget: &Budget) -> Result<Option<Rc<GainMap>>> {
    let (source, info) = (frames.source(), frames.info());
    let [part] = &job.parts[..] else { return Ok(None) };
    if !info.gain_map || !job.encoding.traits().metadata.gain_map || part.canvas.is_some() {
        return Ok(None);
    }
    let scope = budget.scope();
    let found = match &info.carried_gain_map {
        Some(carried) => Some(Rc::clone(carried)),
        None => find(frames.format(), source, &scope).await?.map(Rc::new),
    };
    let Some(found) = found.filter(|found| has_strength(found, job.metadata)) else { return Ok(None) };
    let jpeg = unless_damaged(jpeg(source, &found, info, (job, part), &scope).await)?.flatten();
    drop(scope);
    charged(jpeg.and_then(|jpeg| described(jpeg, &found)), budget)
}

/// Returns the gain map of a file whose picture is decoded for another worker, as raw rows. It is `None` as for
/// [`resized`].
///
/// # Errors
/// `Io`.
pub(crate) async fn carried(source: &dyn ByteSource, format: Format, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let scope = budget.scope();
    let Some(found) = find(format, source, &scope).await? else { return Ok(None) };
    let (notes, file) = (Notes::default(), found.file(source));
    let opened = retried(|| open(sniff(&file)?, &file, &scope, &notes)).await;
    let Some(mut reader) = unless_damaged(opened)? else { return Ok(None) };
    let rows = codec_raw::gain_map_rows(&mut *reader, &scope, &notes).await;
    drop((reader, scope));
    let map = unless_damaged(rows)?.flatten().map(|rows| found.with_file(rows));
    Ok(map.filter(|map| budget.charge(map.byte_len()).is_ok()))
}

/// Finds the gain map of a file.
async fn find(format: Format, source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    Ok(retried(|| unless_damaged(find_gain_map(format, source, budget))).await?.flatten())
}

/// Returns the gain map of a file whose picture stays the same but for a turn of the stored one, or `None` when it has
/// none, it is damaged, or it cannot be turned without loss.
///
/// # Errors
/// `Io`; `Limit` when the budget is too small.
pub(crate) fn copied(
    source: &dyn ByteSource,
    info: &ImageInfo,
    (policy, turn): (Policy, Option<Orientation>),
    budget: &Budget,
) -> Result<Option<Rc<GainMap>>> {
    if !info.gain_map {
        return Ok(None);
    }
    let scope = budget.scope();
    let found = unless_damaged(find_gain_map(info.format, source, &scope))?.flatten();
    let Some(found) = found.filter(|found| has_strength(found, policy)) else { return Ok(None) };
    let map = found.file(source);
    scope.charge(map.byte_len())?;
    let mut jpeg = Vec::new();
    let written = match turn {
        None => rewrite_metadata(info.format, &map, &mut jpeg, &Metadata::default(), &scope),
        Some(turn) => turned(info.format, &map, &mut jpeg, turn, &scope),
    };
    drop(scope);
    charged(unless_damaged(written)?.and_then(|()| described(jpeg, &found)), budget)
}

/// Writes a gain map turned, with its profile.
fn turned(
    format: Format,
    map: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    turn: Orientation,
    budget: &Budget,
) -> Result<()> {
    let info = open(format, map, budget, &Notes::default())?.info().clone();
    let metadata = Metadata::profile(info.metadata.icc.as_deref());
    codecs::turn(format, map, sink, (turn, &metadata), budget)
}

/// Whether the result says how strong the map is, with the metadata that the policy keeps.
fn has_strength(found: &StoredGainMap, policy: Policy) -> bool {
    !found.needs_notes || policy != Policy::Nothing
}

fn charged(map: Option<GainMap>, budget: &Budget) -> Result<Option<Rc<GainMap>>> {
    budget.charge(map.as_ref().map_or(0, GainMap::byte_len))?;
    Ok(map.map(Rc::new))
}

/// Returns the gain map, or `None` when nothing says how it is applied.
fn described(jpeg: Vec<u8>, StoredGainMap { xmp, iso, .. }: &StoredGainMap) -> Option<GainMap> {
    let xmp = xmp.as_ref().and_then(|xmp| metadata::gain_map_xmp(xmp)).filter(|xmp| describes_gain_map(xmp));
    let iso = iso.clone();
    (xmp.is_some() || iso.is_some()).then_some(GainMap { jpeg, xmp, iso })
}

/// Writes the map for a part of a job; `info` is the picture's. Returns `None` for a map that is damaged, or whose
/// colours would not be the picture's.
async fn jpeg(
    source: &dyn ByteSource,
    found: &StoredGainMap,
    info: &ImageInfo,
    (job, part): (&Job, &Part),
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let map = found.file(source);
    let notes = Notes::default();
    let format = retried(|| sniff(&map)).await?;
    let mut frames = retried(|| Frames::open(&map, format, budget, &notes, &[])).await?;
    let ImageInfo { quality, row_format, .. } = *frames.info();
    if job.profile == ProfileChoice::Srgb && row_format.in_colors().channels.has_color() {
        return Ok(None);
    }
    let mut frame = loop {
        match frames.seek(0, &Wanted::FULL_SIZE) {
            Err(error) if error.is_not_yet() => {}
            result => break result?,
        }
        pause().await;
    };
    frame.info.orientation = info.orientation;
    let kept = info.orientation.then(part.turn).stored_rect(part.crop, info.size);
    let (crop, area) = cropped(kept, info.size, frame.info.size);
    let part = resized_part(frame.info.size, info, part);
    let job = Job {
        parts: vec![part],
        light: LightChoice::Encoded, // The samples are logarithms of gains.
        decoding: Decoding::Exact,
        sharpening: Sharpening::Off,
        profile: ProfileChoice::Keep,
        encoding: Encoding::of_gain_maps(),
        metadata: Policy::Nothing,
        density: None,
        ..job.clone()
    };
    let (mut picture, to_srgb) = Picture::new(&frame, &job, &part, budget)?;
    (picture.plan.crop, picture.plan.area) = (crop, area);
    let mut last = LastPicture::new(budget);
    last.prepare(0, &mut picture.plan, true)?;
    let spec =
        ImageSpec { source_quality: quality, ..ImageSpec::single(picture.header.size, picture.header.pixels, budget) };
    let mut jpeg = Vec::new();
    let mut writer = job.encoding.create(&mut jpeg, &spec)?;
    let mut ignore = |_, _| {};
    let progress = Progress::new(1, &mut ignore);
    let resources = Resources { to_srgb, progress: &progress, budget };
    write_picture(frame, &picture, &mut last, &mut *writer, resources).await??;
    writer.finish()?;
    Ok(notes.warnings().is_empty().then_some(jpeg))
}

/// Returns the whole map as a part, with the size that belongs to a part of its picture.
fn resized_part(map: Size, picture: &ImageInfo, part: &Part) -> Part {
    let orientation = picture.orientation.then(part.turn);
    let (from, to) = (orientation.turn(picture.size), orientation.turn(map));
    let side = |target: u32, map: u32, picture: u32| {
        let scaled = (u64::from(target) * u64::from(map) + u64::from(picture) / 2) / u64::from(picture.max(1));
        u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
    };
    let target =
        Size::new(side(part.target.width, to.width, from.width), side(part.target.height, to.height, from.height));
    Part { frame: 0, crop: Rect::whole(to), target, ..*part }
}

/// Returns the pixels of a map that a crop of its stored picture touches, and the part of them that it covers.
fn cropped(crop: Rect, picture: Size, map: Size) -> (Rect, Area) {
    let side = |start: u32, length: u32, picture: u32, map: u32| {
        let (map, picture) = (u64::from(map) * u64::from(FRACTIONS), u64::from(picture.max(1)));
        let at = |position: u32| ((u64::from(position) * map + picture / 2) / picture) as u32;
        let start_at = at(start).min(map as u32 - 1);
        let (start, end) = (start_at, at(start + length).max(start_at + 1));
        let (first, after) = (start / FRACTIONS, end.div_ceil(FRACTIONS));
        ((first, after - first), (start - first * FRACTIONS, end - start))
    };
    let ((x, width), (left, across)) = side(crop.x, crop.width, picture.width, map.width);
    let ((y, height), (top, down)) = side(crop.y, crop.height, picture.height, map.height);
    let pixels = Rect { x, y, width, height };
    let part = Rect { x: left, y: top, width: across, height: down };
    let is_whole = [across, down] == [width, height].map(|pixels| pixels * FRACTIONS);
    let area = if is_whole { Area::whole(pixels.size()) } else { Area { rect: part, per_pixel: FRACTIONS } };
    (pixels, area)
}
