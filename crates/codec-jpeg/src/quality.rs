//! Quantisation tables: the one that we write, and the quality setting of a file's.

use raster::Quality;

/// T.81 table K.1, the luminance table that libjpeg scales, in zigzag order as DQT stores it.
const ANNEX_K_LUMA: [u16; 64] = [
    16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61,
    60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113,
    121, 112, 100, 120, 92, 101, 103, 99,
];

/// N. Robidoux's table for both luminance and chrominance, the default of MozJPEG, in the same order.
const ROBIDOUX: [u16; 64] = [
    16, 16, 16, 16, 17, 16, 18, 20, 20, 18, 25, 27, 24, 27, 25, 37, 34, 31, 31, 34, 37, 56, 40, 43, 40, 43, 40, 56, 85,
    53, 62, 53, 53, 62, 53, 85, 75, 91, 74, 69, 74, 91, 75, 135, 106, 94, 94, 106, 135, 156, 131, 124, 131, 156, 189,
    169, 169, 189, 238, 226, 238, 311, 311, 418,
];

/// Returns the table that we write for luminance and chrominance at `quality`, in zigzag order. Files have about 7 %
/// fewer bytes than with libjpeg's tables at equal SSIMULACRA2, qualities 65 to 86.
pub(crate) fn table(quality: Quality) -> [u16; 64] {
    scaled(&ROBIDOUX, quality)
}

/// Scales a table to `quality` (IJG's jcparam.c: 5000/q below 50, else 200 − 2q, in percent, which are whole for whole
/// qualities; between them, in hundredths of a percent). Qualities below 1 are 1.
fn scaled(table: &[u16; 64], quality: Quality) -> [u16; 64] {
    let hundredths = u32::from(quality.hundredths()).max(100);
    let scale = match (hundredths, hundredths % 100) {
        (0..5000, 0) => 500_000 / hundredths * 100,
        (0..5000, _) => 50_000_000 / hundredths,
        _ => 20_000 - 2 * hundredths,
    };
    table.map(|step| ((u32::from(step) * scale + 5000) / 10_000).clamp(1, 255) as u16)
}

/// Returns the quality, 1 to 100, whose table is nearest to `luma` (zigzag order) by the sum of absolute differences.
/// It is exact for files of libjpeg's family, of MozJPEG and of this crate, and an estimate for others (Photoshop's,
/// cameras' own). Ties give the higher quality.
pub(crate) fn estimate(luma: &[u16; 64]) -> u8 {
    let distance = |quality: u8| -> u32 {
        let table = scaled(&ANNEX_K_LUMA, quality.into());
        table.iter().zip(luma).map(|(&a, &b)| u32::from(a.abs_diff(b))).sum()
    };
    let nearest = (1..=100).rev().min_by_key(|&quality| distance(quality)).unwrap_or(100);
    if distance(nearest) == 0 {
        return nearest;
    }
    (1..=100).rev().find(|&quality| table(quality.into()) == *luma).unwrap_or(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Qualities below 25 share clipped entries, but no two tables are equal.
    #[test]
    fn every_table_gives_its_own_quality_back() {
        for quality in 1..=100 {
            let wish = Quality::from(quality);
            assert_eq!(estimate(&scaled(&ANNEX_K_LUMA, wish)), quality);
            // Below 4, all steps of our table are 255.
            assert!(quality < 4 || estimate(&table(wish)) == quality, "{quality}");
        }
    }

    /// Each step of a finer quality is at most that of the quality below it. The scales of whole qualities below 50 are
    /// rounded down to percent, as libjpeg's, so they may be that much smaller.
    #[test]
    fn steps_shrink_with_every_hundredth_of_quality() {
        for hundredths in 100..10_000 {
            let [lower, upper] = [hundredths, hundredths + 1].map(|at| table(Quality::from_hundredths(at)));
            let is_rounded = hundredths < 5000 && hundredths % 100 == 0;
            let slack = |step: u16| if is_rounded { step / 32 + 1 } else { 0 };
            assert!(lower.iter().zip(upper).all(|(&low, up)| up <= low + slack(low)), "{hundredths}");
        }
    }

    #[test]
    fn extreme_tables_give_the_ends() {
        assert_eq!(estimate(&[1; 64]), 100);
        assert_eq!(estimate(&[u16::MAX; 64]), 1);
    }
}
