//! Channels that are arbitrary runs of bits in a 16- or 32-bit pixel, converted to eight bits.

use crate::error::Cause;

/// The bits of one channel in a pixel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Channel {
    mask: u32,
    shift: u32,
    /// 255 ÷ the channel's largest value, in units of 2⁻⁴⁸; 0 for an absent channel, whose samples are then 0.
    scale: u64,
}

/// The number of fraction bits of [`Channel::scale`]. `value × 255 ÷ max` is either a half or at least 1 ÷ 2 max away
/// from one. The error of `scale`, at most half of its last bit, grows to less than max ÷ 2⁴⁸. So for channels of up to
/// 23 bits the product rounds as the exact quotient does.
const FRACTION: u32 = 48;

impl Channel {
    fn new(mask: u32) -> Result<Self, Cause> {
        if mask == 0 {
            return Ok(Self::default());
        }
        let shift = mask.trailing_zeros();
        let max = u64::from(mask >> shift);
        if !(max + 1).is_power_of_two() {
            return Err(Cause::MaskGap(mask));
        }
        Ok(Self { mask, shift, scale: ((255 << FRACTION) + max / 2) / max })
    }

    /// Returns this channel of `pixel`, 0 to 255, rounded to nearest.
    #[inline]
    pub(super) fn sample(self, pixel: u32) -> u8 {
        let value = u64::from((pixel & self.mask) >> self.shift);
        ((value * self.scale + (1 << (FRACTION - 1))) >> FRACTION) as u8
    }
}

/// The masks of red, green, blue and alpha. They do not overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks(pub(super) [Channel; 4]);

impl Masks {
    pub(super) fn new(masks: [u32; 4]) -> Result<Self, Cause> {
        let mut taken = 0;
        let mut channels = [Channel::default(); 4];
        for (channel, mask) in channels.iter_mut().zip(masks) {
            if mask & taken != 0 {
                return Err(Cause::MaskOverlap(mask));
            }
            taken |= mask;
            *channel = Channel::new(mask)?;
        }
        Ok(Self(channels))
    }

    pub(super) const fn has_alpha(&self) -> bool {
        self.0[3].mask != 0
    }

    /// Whether the bytes of a little-endian pixel are blue, green, red, and alpha or padding.
    pub(super) const fn is_bgra(&self) -> bool {
        let [red, green, blue, alpha] = self.0;
        red.mask == 0x00FF_0000
            && green.mask == 0x0000_FF00
            && blue.mask == 0x0000_00FF
            && matches!(alpha.mask, 0 | 0xFF00_0000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow reference: the exact quotient, rounded half up (a half cannot occur: 510 × value is even, max is odd).
    fn exact(value: u64, max: u64) -> u8 {
        ((value * 255 * 2 + max) / (2 * max)) as u8
    }

    #[test]
    fn channels_of_every_width_and_position_round_to_nearest() {
        for bits in 1..=23 {
            let max = (1u64 << bits) - 1;
            let step = (max / 4099).max(1);
            for shift in [0, 32 - bits] {
                let channel = Channel::new((max as u32) << shift).unwrap();
                let values = (0..=max).step_by(step as usize).chain([max, max / 2, max / 2 + 1]);
                for value in values {
                    let around = !(channel.mask); // other channels' bits must be ignored
                    assert_eq!(
                        channel.sample((value as u32) << shift | around),
                        exact(value, max),
                        "{value} of {bits} bits"
                    );
                }
            }
        }
    }

    #[test]
    fn the_widest_masks_stay_within_a_level() {
        for bits in 24..=32u32 {
            let max = u64::from(u32::MAX >> (32 - bits));
            let channel = Channel::new(max as u32).unwrap();
            for value in (0..=max).step_by((max / 1009) as usize).chain([max]) {
                assert!(channel.sample(value as u32).abs_diff(exact(value, max)) <= 1);
            }
        }
    }

    #[test]
    fn masks_that_are_not_channels_are_refused() {
        let table = [
            ([0xF800, 0x07E0, 0x001F, 0], None),
            ([0xF0F0, 0, 0, 0], Some(Cause::MaskGap(0xF0F0))),
            ([0xFF, 0xFF00, 0x1FF, 0], Some(Cause::MaskOverlap(0x1FF))),
            ([0, 0, 0, 0], None),
            ([u32::MAX, 0, 0, 0], None),
        ];
        for (masks, refusal) in table {
            assert_eq!(Masks::new(masks).err(), refusal, "{masks:x?}");
        }
    }
}
