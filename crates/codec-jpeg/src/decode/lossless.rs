//! Samples of lossless scans (T.81 Annex H): each is predicted from its neighbours, and the difference is coded.

use super::part::Part;
use super::progressive::State;
use super::scan::{Blocks, Place};
use super::upsample::ComponentRows;

/// The symbol of the difference 32,768, which no further bits follow (H.1.2.2).
const LARGEST: u8 = 16;

/// Differences of a scan, which are added to predictions.
pub(super) struct ToPredictions<'a> {
    pub(super) components: &'a mut [ComponentRows<u16>],
    pub(super) mcu_row: u32,
    /// The number of the prediction, 1 to 7 (table H.1).
    pub(super) predictor: u8,
    /// The number of bits in a sample, and the number of low bits that the scan leaves out.
    pub(super) precision: u32,
    pub(super) low: u32,
}

impl ToPredictions<'_> {
    /// Returns the prediction of a sample (H.1.2.1). The first row of a restart interval is predicted from the left,
    /// and the first column of other rows from above.
    fn prediction(&self, part: &mut Part, place: Place) -> i32 {
        let (plane, (x, y)) = (&self.components[place.component].plane, place.at);
        let row = plane.row_number(self.mcu_row, y) as usize + 1;
        if part.context == 0 {
            part.context = row;
            return self.middle();
        }
        let sample = |left: u32, above: u32| i32::from(plane.sample(self.mcu_row, (x, y), (left, above)) >> self.low);
        if part.context == row {
            return if x == 0 { self.middle() } else { sample(1, 0) };
        }
        if x == 0 {
            return sample(0, 1);
        }
        let (left, above, corner) = (sample(1, 0), sample(0, 1), sample(1, 1));
        match self.predictor {
            1 => left,
            2 => above,
            3 => corner,
            4 => left + above - corner,
            5 => left + ((above - corner) >> 1),
            6 => above + ((left - corner) >> 1),
            _ => (left + above) >> 1,
        }
    }

    /// Returns the prediction where no neighbour exists.
    const fn middle(&self) -> i32 {
        1 << (self.precision - self.low - 1)
    }

    fn write(&mut self, place: Place, sample: i32) {
        let sample = (sample << self.low) as u16;
        self.components[place.component].plane.write_rows(self.mcu_row, place.at, &[[sample]]);
    }
}

impl Blocks for ToPredictions<'_> {
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place) {
        let Some(codes) = &part.dc else { return };
        let decoded = codes.coefficient(&mut state.bits);
        let difference = if decoded.symbol == LARGEST { 1 << 15 } else { decoded.value };
        let prediction = self.prediction(part, place);
        self.write(place, prediction + difference);
    }

    fn skip(&mut self, place: Place) {
        self.write(place, self.middle());
    }
}
