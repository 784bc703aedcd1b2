//! The colours or the alpha of a file: a picture in tiles, or the frames of a track.

use isobmff::{Item, Sample, Track};
use raster::{Budget, Result, Size};

use crate::tiles::{File, Tiles};
use crate::{Cause, Decoder, Options};

/// One of the two parts of a file's pictures.
pub(crate) struct Layer {
    pub(crate) tiles: Tiles,
    /// `None` for a still picture.
    track: Option<Frames>,
}

/// The frames of a track. Each needs those before it.
struct Frames {
    samples: Vec<Sample>,
    decoder: Box<dyn Decoder>,
    /// The frames that were decoded.
    next: usize,
    is_damaged: bool,
}

impl Layer {
    pub(crate) fn of_item(file: &File<'_>, item: &Item, budget: &Budget) -> Result<Self> {
        Ok(Self { tiles: Tiles::of_item(file, item, budget)?, track: None })
    }

    pub(crate) fn of_track(file: &File<'_>, track: &Track, size: Size, budget: &Budget) -> Result<Self> {
        let configuration = track.configuration().unwrap_or_default();
        let first: Vec<_> = track.samples.first().map(|sample| sample.data).into_iter().collect();
        let mut description = file.describe(configuration, &first)?;
        description.code_points = track.code_points().unwrap_or(description.code_points);
        let options = Options { operating_point: 0, most_pixels: size.area() };
        let decoder = (file.codec.decoder)(configuration, &options)?;
        budget.charge(size_of_val(track.samples.as_slice()) as u64)?;
        let frames = Frames { samples: track.samples.clone(), decoder, next: 0, is_damaged: false };
        Ok(Self { tiles: Tiles::of_frames(description, size), track: Some(frames) })
    }

    /// Returns the bytes of memory that decoding holds at once.
    pub(crate) fn working_set(&self, file: &File<'_>) -> u64 {
        self.tiles.working_set(file.codec, self.track.is_some())
    }

    /// Decodes the next frame, or the row of tiles with row `y` of a still picture.
    pub(crate) fn begin(&mut self, file: &File<'_>, y: u32, budget: &Budget) -> Result<()> {
        let Some(frames) = &mut self.track else { return self.tiles.begin(file, y, budget) };
        let sample = frames.samples.get(frames.next).filter(|_| !frames.is_damaged);
        let sample = sample.ok_or_else(|| file.refusal(Cause::EarlierFrame))?;
        // The data are released with the decoder's copy of them.
        let data = file.container.join(file.source, &[sample.data], &budget.scope())?;
        if frames.next == 0 {
            budget.charge(self.tiles.working_set(file.codec, true))?;
        }
        frames.next += 1;
        let outcome = self.tiles.show(file, &mut *frames.decoder, data);
        frames.is_damaged = outcome.is_err();
        outcome
    }
}
