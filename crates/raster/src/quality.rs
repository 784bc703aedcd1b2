//! The quality of lossy files.

/// A quality from 0 to 100 in steps of a hundredth. The steps are finer than those of a scale from 1 to 100, on which
/// two neighbours may differ by a fifth of the bytes; a file for which bytes are counted needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quality {
    hundredths: u16,
}

impl Quality {
    /// Returns the quality of a number of hundredths; numbers above 10 000 are clamped.
    #[must_use]
    pub const fn from_hundredths(hundredths: u16) -> Self {
        Self { hundredths: if hundredths > 10_000 { 10_000 } else { hundredths } }
    }

    /// Returns the quality in hundredths, 0 to 10 000.
    #[must_use]
    pub const fn hundredths(self) -> u16 {
        self.hundredths
    }

    /// Returns the quality of a new file: `wish`, else that of the source, clamped to 75 to 92, else 85.
    #[must_use]
    pub fn for_source(wish: Option<Self>, source: Option<u8>) -> Self {
        const UNKNOWN: u8 = 85;
        wish.unwrap_or_else(|| source.map_or(UNKNOWN, |quality| quality.clamp(75, 92)).into())
    }
}

impl From<u8> for Quality {
    fn from(quality: u8) -> Self {
        Self::from_hundredths(u16::from(quality) * 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Quality;

    #[test]
    fn a_quality_is_the_wish_else_that_of_the_source_else_85() {
        let table = [
            (Some(40), Some(95), 40),
            (Some(0), None, 0),
            (Some(255), None, 100),
            (None, Some(98), 92),
            (None, Some(80), 80),
            (None, Some(30), 75),
            (None, None, 85),
        ];
        for (wish, source, want) in table {
            let quality = Quality::for_source(wish.map(Quality::from), source);
            assert_eq!(quality, Quality::from(want), "{wish:?} {source:?}");
        }
    }
}
