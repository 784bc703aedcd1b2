//! What a caller may choose.

/// The options of a JPEG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// 1 to 100 on libjpeg's scale; values outside are clamped. `None` means the quality of the source, clamped to 75
    /// to 92, or 85 when it is unknown.
    pub quality: Option<u8>,
    /// The resolution of colour.
    pub subsampling: Subsampling,
    /// The order and the choice of coefficients.
    pub coding: Coding,
    /// The number of rows of MCUs between restart markers; 0 for none.
    pub restart_rows: u16,
}

raster::choices! {
    /// The order and the choice of a file's coefficients.
    pub enum Coding: default Baseline {
        /// Row by row. Memory depends on the width only.
        Baseline = "baseline",
        /// The same pixels from coarse to fine, in fewer bytes. The coefficients of the whole picture are held.
        Progressive = "progressive",
        /// Progressive, with coefficients that are chosen so that the file is small for its quality.
        Smallest = "smallest",
    }
}

impl Options {
    /// Returns the quality for a source whose own quality is estimated as `source`.
    pub(super) fn quality_for(self, source: Option<u8>) -> u8 {
        const UNKNOWN: u8 = 85;
        match (self.quality, source) {
            (Some(wish), _) => wish.clamp(1, 100),
            (None, Some(source)) => source.clamp(75, 92),
            (None, None) => UNKNOWN,
        }
    }
}

/// The number of luminance samples that share one sample of colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subsampling {
    #[default]
    /// 4:4:4 from quality 90 and for graphics, else 4:2:0.
    Auto,
    /// Colour at full resolution.
    S444,
    /// Colour at half the resolution across and down.
    S420,
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn quality_is_the_option_else_that_of_the_source_else_85() {
        let table = [
            (Some(40), Some(95), 40),
            (Some(0), None, 1),
            (None, Some(98), 92),
            (None, Some(80), 80),
            (None, Some(30), 75),
            (None, None, 85),
        ];
        for (quality, source, want) in table {
            let options = Options { quality, ..Options::default() };
            assert_eq!(options.quality_for(source), want, "{quality:?} {source:?}");
        }
    }
}
