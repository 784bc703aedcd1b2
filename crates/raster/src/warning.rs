//! Warnings about a result that was reached nevertheless.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::Size;

/// A warning for the user; never a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The data end early or are damaged; the missing rows are blank.
    Truncated {
        /// The number of rows that contain image data.
        rows: u32,
        /// The number of rows that the header states.
        of: u32,
    },
    /// An embedded colour profile cannot be used; sRGB is assumed.
    BrokenProfile,
    /// The target format does not support the source's colour profile.
    ProfileDropped,
    /// Only the first of several frames is used.
    FirstFrameOnly {
        /// The number of frames.
        frames: u32,
    },
    /// Frames that are damaged or missing were left out.
    FramesSkipped {
        /// The number of frames left out.
        skipped: u32,
        /// The number of all frames.
        of: u32,
    },
    /// The target has fewer bits per sample than the source.
    DepthReduced,
    /// Transparent areas were composited over the background colour.
    Flattened,
    /// The colours were reduced to those of a palette, as the source has one.
    ColorsReduced,
    /// The source's gain map, which only HDR screens use, was left out.
    GainMapDropped,
    /// A part that the picture does not need is damaged and was left out; the word names the part.
    Skipped(&'static str),
    /// A drawing does not determine its size; this one was assumed.
    SizeAssumed {
        /// The size.
        size: Size,
    },
    /// Parts of a drawing were left out: scripts, links to other files, pictures and characters that cannot be drawn.
    PartsLeftOut,
    /// A drawing asks for a font that is not there; another one was used.
    FontMissing {
        /// Its name.
        font: String,
    },
}

impl Warning {
    /// Returns a stable kebab-case word for each kind of warning.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "truncated",
            Self::BrokenProfile => "broken-profile",
            Self::ProfileDropped => "profile-dropped",
            Self::FirstFrameOnly { .. } => "first-frame-only",
            Self::FramesSkipped { .. } => "frames-skipped",
            Self::DepthReduced => "depth-reduced",
            Self::Flattened => "flattened",
            Self::ColorsReduced => "colors-reduced",
            Self::GainMapDropped => "gain-map-dropped",
            Self::Skipped(_) => "skipped",
            Self::SizeAssumed { .. } => "size-assumed",
            Self::PartsLeftOut => "parts-left-out",
            Self::FontMissing { .. } => "font-missing",
        }
    }

    /// The number of missing rows.
    const fn missing_rows(&self) -> Option<u32> {
        match *self {
            Self::Truncated { rows, of } => Some(of.saturating_sub(rows)),
            _ => None,
        }
    }
}

/// Collects the warnings of one job. The job owns it and lends it to readers beside the [`Budget`](crate::Budget);
/// clones share one list.
///
/// Readers only call [`Notes::warn`]. The caller of [`ImageReader::next_frame`](crate::ImageReader::next_frame) says
/// which frame it asks for, so that each warning tells its frame.
#[derive(Clone, Debug, Default)]
pub struct Notes(Rc<List>);

/// A warning and the frame that brought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The number of the frame, counted from 0; `None` for warnings of the file's header.
    pub frame: Option<u32>,
    /// The warning.
    pub warning: Warning,
}

#[derive(Debug, Default)]
struct List {
    frame: Cell<Option<u32>>,
    notes: RefCell<Vec<Note>>,
}

impl Notes {
    /// Attributes the warnings that follow to the frame of that number.
    pub fn begin_frame(&self, frame: u32) {
        self.0.frame.set(Some(frame));
    }

    /// Attributes the warnings that follow to the header of the file.
    pub fn begin_file(&self) {
        self.0.frame.set(None);
    }

    /// Adds a warning, once for each frame. Of several [`Warning::Truncated`] of a frame the last one counts, so that a
    /// reader can report damaged rows as it meets them.
    pub fn warn(&self, warning: Warning) {
        let note = Note { frame: self.0.frame.get(), warning };
        let mut notes = self.0.notes.borrow_mut();
        notes.retain(|earlier| earlier.frame != note.frame || !both_truncated(&earlier.warning, &note.warning));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// The warnings with their frames, in the order in which they came.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        self.0.notes.borrow().clone()
    }

    /// The warnings without their frames and without duplicates. Of several frames that end early, only the one that
    /// lacks most rows is told.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = Vec::new();
        for Note { warning, .. } in &*self.0.notes.borrow() {
            let is_like = |other: &Warning| other == warning || both_truncated(other, warning);
            match warnings.iter_mut().find(|other| is_like(other)) {
                Some(other) if warning.missing_rows() > other.missing_rows() => *other = warning.clone(),
                Some(_) => {}
                None => warnings.push(warning.clone()),
            }
        }
        warnings
    }
}

const fn both_truncated(a: &Warning, b: &Warning) -> bool {
    a.missing_rows().is_some() && b.missing_rows().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn cut(rows: u32) -> Warning {
        Warning::Truncated { rows, of: 10 }
    }

    #[test]
    fn warnings_tell_their_frame_and_stand_once() {
        let notes = Notes::default();
        notes.clone().warn(Warning::BrokenProfile);
        for frame in [0, 1] {
            notes.begin_frame(frame);
            (0..2).for_each(|_| notes.warn(Warning::Skipped("checksum")));
        }
        notes.begin_file();
        notes.warn(Warning::BrokenProfile);
        let frames: Vec<_> = notes.notes().iter().map(|note| note.frame).collect();
        assert_eq!(frames, [None, Some(0), Some(1)]);
        assert_eq!(notes.warnings(), [Warning::BrokenProfile, Warning::Skipped("checksum")]);
    }

    #[test]
    fn the_last_count_of_rows_is_that_of_the_frame_and_the_worst_that_of_the_file() {
        let notes = Notes::default();
        for (frame, rows) in [(0, 9), (1, 7), (1, 5), (2, 8)] {
            notes.begin_frame(frame);
            notes.warn(cut(rows));
        }
        let told: Vec<_> = notes.notes().into_iter().map(|note| (note.frame, note.warning)).collect();
        assert_eq!(told, [(Some(0), cut(9)), (Some(1), cut(5)), (Some(2), cut(8))]);
        assert_eq!(notes.warnings(), [cut(5)]);
    }
}
