//! The time for which a frame is shown.

use raster::rows::Delay;

/// 100 ms: the delay that browsers use for a frame whose file does not state one.
pub const DEFAULT_DELAY: Delay = Delay { numerator: 1, denominator: 10 };

/// Returns the delay with a numerator and denominator of 16 bits. A delay that does not fit is rounded down to
/// milliseconds.
#[must_use]
pub fn fit_16_bits(delay: Delay) -> Delay {
    let limit = u32::from(u16::MAX);
    if delay.numerator <= limit && delay.denominator <= limit {
        return delay;
    }
    let milliseconds = u64::from(delay.numerator) * 1000 / u64::from(delay.denominator.max(1));
    Delay { numerator: milliseconds.min(limit.into()) as u32, denominator: 1000 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_that_fit_stay_and_others_become_milliseconds() {
        let table = [((1, 10), (1, 10)), ((70_000, 1000), (65_535, 1000)), ((1, 100_000), (0, 1000)), ((5, 0), (5, 0))];
        for ((numerator, denominator), want) in table {
            let fitted = fit_16_bits(Delay { numerator, denominator });
            assert_eq!((fitted.numerator, fitted.denominator), want);
        }
    }
}
