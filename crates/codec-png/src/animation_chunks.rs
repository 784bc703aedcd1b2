//! Reading and writing of acTL and fcTL (§11.3.6), the chunks of an animation beside its data.

use animation::{Blending, Disposal, Placement};
use raster::rows::Delay;
use raster::{Rect, Size};

/// The data of acTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnimationControl {
    pub(crate) frames: u32,
    /// How often the animation runs; 0 means without end.
    pub(crate) plays: u32,
}

impl AnimationControl {
    /// Reads acTL's data (§11.3.6.1). 0 frames, and numbers above 31 bits, mean that there is no animation.
    pub(crate) fn parse(data: &[u8]) -> Option<Self> {
        let (&frames, &plays) = (data.first_chunk()?, data.last_chunk()?);
        let control = Self { frames: u32::from_be_bytes(frames), plays: u32::from_be_bytes(plays) };
        (data.len() == 8 && (1..=0x7FFF_FFFF).contains(&control.frames)).then_some(control)
    }

    pub(crate) fn to_bytes(self) -> [u8; 8] {
        let mut data = [0; 8];
        data[..4].copy_from_slice(&self.frames.to_be_bytes());
        data[4..].copy_from_slice(&self.plays.to_be_bytes());
        data
    }
}

/// The data of fcTL behind the sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameControl {
    pub(crate) placement: Placement,
    pub(crate) delay: Delay,
}

impl FrameControl {
    /// The bytes of fcTL's data.
    pub(crate) const BYTES: usize = 26;

    /// Reads fcTL's data (§11.3.6.2). Returns `None` when the frame exceeds the canvas or an operation is unknown.
    pub(crate) fn parse(data: &[u8; Self::BYTES], canvas: Size) -> Option<Self> {
        let word = |at: usize| u32::from_be_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
        let half = |at: usize| u32::from(u16::from_be_bytes([data[at], data[at + 1]]));
        let region = Rect { width: word(4), height: word(8), x: word(12), y: word(16) };
        let inside = |from: u32, length: u32, side: u32| length > 0 && length <= side && from <= side - length;
        if !inside(region.x, region.width, canvas.width) || !inside(region.y, region.height, canvas.height) {
            return None;
        }
        // §11.3.6.2: "If the denominator is 0, it is to be treated as if it were 100."
        let denominator = if half(22) == 0 { 100 } else { half(22) };
        let disposal = match data[24] {
            0 => Disposal::Keep,
            1 => Disposal::Clear,
            2 => Disposal::Restore,
            _ => return None,
        };
        let blending = match data[25] {
            0 => Blending::Replace,
            1 => Blending::Over,
            _ => return None,
        };
        let placement = Placement { region, disposal, blending };
        Some(Self { placement, delay: Delay { numerator: half(20), denominator } })
    }

    /// Returns fcTL's data, including the sequence number. The delay must fit 16 bits.
    pub(crate) fn to_bytes(self, sequence: u32) -> [u8; Self::BYTES] {
        let Placement { region: Rect { x, y, width, height }, disposal, blending } = self.placement;
        let mut data = [0; Self::BYTES];
        for (bytes, word) in data.as_chunks_mut::<4>().0.iter_mut().zip([sequence, width, height, x, y]) {
            *bytes = word.to_be_bytes();
        }
        data[20..22].copy_from_slice(&(self.delay.numerator as u16).to_be_bytes());
        data[22..24].copy_from_slice(&(self.delay.denominator as u16).to_be_bytes());
        data[24] = match disposal {
            Disposal::Keep => 0,
            Disposal::Clear => 1,
            Disposal::Restore => 2,
        };
        data[25] = match blending {
            Blending::Replace => 0,
            Blending::Over => 1,
        };
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_chunks_are_read_back_and_invalid_ones_are_refused() {
        let canvas = Size::new(9, 9);
        let control = AnimationControl { frames: 3, plays: 7 };
        assert_eq!(AnimationControl::parse(&control.to_bytes()), Some(control));
        for bad in [&[0; 8][..], &[0x80, 0, 0, 0, 0, 0, 0, 0], &[1; 7], &[1; 9]] {
            assert_eq!(AnimationControl::parse(bad), None, "{bad:?}");
        }
        let region = Rect { x: 1, y: 2, width: 8, height: 7 };
        for disposal in [Disposal::Keep, Disposal::Clear, Disposal::Restore] {
            for blending in [Blending::Replace, Blending::Over] {
                let placement = Placement { region, disposal, blending };
                let control = FrameControl { placement, delay: Delay { numerator: 5, denominator: 100 } };
                let mut data = control.to_bytes(42);
                assert_eq!(data[..4], [0, 0, 0, 42]);
                assert_eq!(FrameControl::parse(&data, canvas), Some(control));
                assert_eq!(FrameControl::parse(&data, Size::new(8, 9)), None, "beyond the canvas");
                data[25] = 2;
                assert_eq!(FrameControl::parse(&data, canvas), None, "an unknown operation");
            }
        }
    }
}
