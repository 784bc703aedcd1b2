//! The picture that was written last. If the next one is the next frame of an animation, only the part of it that has
//! changed is resampled.

use raster::{Budget, FrameInfo, Orientation, Rect, Result};
use resample::{Geometry, Window};

use crate::job::Sharpening;
use crate::plan::{Colors, Plan};

/// The rows of the last picture of a job.
pub(crate) struct LastPicture<'a> {
    job: &'a Budget,
    /// The scope in which `bytes` are charged.
    scope: Budget,
    /// All rows if the next picture may need them, or one.
    bytes: Vec<u8>,
    row_bytes: usize,
    /// The number of the frame that is being written.
    frame: u32,
    /// The number of the picture's frame, and its plan. `None` if not all of its rows are known.
    made_of: Option<(u32, Plan)>,
}

impl<'a> LastPicture<'a> {
    pub(crate) fn new(job: &'a Budget) -> Self {
        Self { job, scope: job.scope(), bytes: Vec::new(), row_bytes: 0, frame: 0, made_of: None }
    }

    /// Prepares for the picture of a frame. If the last picture is that of the frame before, limits the plan to what
    /// differs from it.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for the rows.
    pub(crate) fn prepare(&mut self, frame: u32, plan: &mut Plan, is_still: bool) -> Result<()> {
        let last = self.made_of.take();
        self.frame = frame;
        let changed = plan.frame.changed.filter(|_| !is_still && plan.can_be_limited());
        let size = plan.output_size();
        let row_bytes = plan.output.row_bytes(size.width);
        let kept = if changed.is_some() { size.height } else { 1 };
        let bytes = row_bytes * u64::from(kept);
        if self.bytes.len() as u64 != bytes {
            self.bytes = Vec::new();
            self.scope = self.job.scope();
            self.bytes = self.scope.filled(bytes, 0)?;
        }
        self.row_bytes = row_bytes as usize;
        let Some(changed) = changed else { return Ok(()) };
        if last.is_some_and(|(number, last)| number.checked_add(1) == Some(frame) && last.is_like(plan)) {
            plan.limit(changed);
        }
        Ok(())
    }

    /// Returns row `y` of the picture.
    pub(crate) fn row(&mut self, y: u32) -> &mut [u8] {
        let rows = self.bytes.len() / self.row_bytes;
        &mut self.bytes[y as usize % rows * self.row_bytes..][..self.row_bytes]
    }

    /// All rows of the picture were written.
    pub(crate) fn complete(&mut self, plan: &Plan) {
        self.made_of = Some((self.frame, plan.clone()));
    }
}

impl Plan {
    /// Returns the pixels of the frame that are read.
    pub(crate) fn read(&self) -> Rect {
        self.window.map_or(self.crop, |Window { from, .. }| Rect {
            x: self.crop.x + from.x,
            y: self.crop.y + from.y,
            ..from
        })
    }

    /// Returns the part of the written picture that is made.
    pub(crate) fn made(&self) -> Rect {
        self.window.map_or(Rect::whole(self.output_size()), |window| window.to)
    }

    /// Returns what the resampler does.
    pub(crate) const fn geometry(&self) -> Geometry {
        Geometry { source: self.crop.size(), area: self.area, target: self.target, filter: self.filter }
    }

    /// Whether a part of the picture can be made alone: the pixels behind the resampler are those that are written.
    fn can_be_limited(&self) -> bool {
        !self.keeps_pixels()
            && !self.has_inks()
            && self.colors != Colors::Converted
            && self.background.is_none()
            && self.canvas.is_none()
            && self.sharpening == Sharpening::Off
            && self.frame.orientation == Orientation::Upright
    }

    /// Whether the same pixels of two frames give the same picture.
    fn is_like(&self, other: &Self) -> bool {
        let FrameInfo { delay, changed, .. } = other.frame;
        Self { frame: FrameInfo { delay, changed, ..self.frame }, window: other.window, ..self.clone() } == *other
    }

    /// Limits the picture to what depends on these pixels of the frame.
    fn limit(&mut self, changed: Rect) {
        let Rect { x, y, width, height } = self.crop;
        let within = |from: u32, length: u32, start: u32, size: u32| {
            let (first, end) = (from.max(start), (from + length).min(start + size));
            (first.min(end).saturating_sub(start), end.saturating_sub(first))
        };
        let (x, width) = within(changed.x, changed.width, x, width);
        let (y, height) = within(changed.y, changed.height, y, height);
        self.window = Some(self.geometry().window(Rect { x, y, width, height }));
    }
}
