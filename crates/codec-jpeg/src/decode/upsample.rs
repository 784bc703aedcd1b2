//! Upsampling of components to the size of the picture, with libjpeg-turbo's arithmetic: triangle filters where a
//! component has half the rows, half the columns or both, repetition for every other ratio.

use super::frame::{Component, FrameHead};
use super::plane::Plane;
use super::sample::Sample;
use super::scale::Scale;

/// The method for one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Upsampling {
    /// The component has the size of the picture.
    None,
    /// Half the columns: each sample gets a quarter of its neighbour.
    Columns,
    /// Half the rows, likewise.
    Rows,
    /// Half of both, likewise.
    Both,
    /// Repetition: the component's factors at the scale, then the largest ones, across and down.
    Repeated { factors: [u8; 2], most: [u8; 2] },
}

/// The rows of one component.
pub(super) struct ComponentRows<S> {
    pub(super) plane: Plane<S>,
    pub(super) upsampling: Upsampling,
    /// An upsampled row.
    pub(super) buffer: Vec<S>,
}

impl Upsampling {
    /// Returns the method for a component.
    pub(super) fn of(frame: &FrameHead, component: &Component, scale: Scale) -> Self {
        let (most, factors) = (frame.most(), scale.factors(frame, component));
        let is = |h: u8, v: u8| (factors.0 * h, factors.1 * v) == most;
        let is_smooth = scale.is_smooth();
        // A filter needs more than two columns, as in libjpeg.
        let is_wide = is_smooth && scale.component_size(frame, component).width > 2;
        match () {
            () if is(1, 1) => Self::None,
            () if is(2, 1) && is_wide => Self::Columns,
            () if is(1, 2) && is_smooth => Self::Rows,
            () if is(2, 2) && is_wide => Self::Both,
            () => Self::Repeated { factors: factors.into(), most: most.into() },
        }
    }

    /// Whether the rows of the picture need the next row of the component.
    pub(super) const fn needs_next_row(self) -> bool {
        matches!(self, Self::Rows | Self::Both)
    }

    /// Returns row `y` of the picture. `buffer` has space for it and one more sample.
    pub(super) fn row<'a, S: Sample>(self, plane: &'a Plane<S>, y: u32, buffer: &'a mut [S]) -> &'a [S] {
        let half = i64::from(y / 2);
        let neighbour = if y.is_multiple_of(2) { half - 1 } else { half + 1 };
        match self {
            Self::None => return plane.row(y.into()),
            Self::Columns => S::double_columns(plane.row(y.into()), buffer),
            Self::Rows => S::double_rows(plane.row(half), plane.row(neighbour), y, buffer),
            Self::Both => S::double_both(plane.row(half), plane.row(neighbour), buffer),
            Self::Repeated { factors: [across, down], most: [most_across, most_down] } => {
                let row = plane.row(i64::from(y) * i64::from(down) / i64::from(most_down));
                repeat_columns(row, across.into(), most_across.into(), buffer);
            }
        }
        buffer
    }
}

/// Writes for each column of the picture the sample in which it lies.
fn repeat_columns<S: Copy>(row: &[S], factor: usize, most: usize, into: &mut [S]) {
    for (x, sample) in into.iter_mut().enumerate() {
        *sample = row[(x * factor / most).min(row.len() - 1)];
    }
}
