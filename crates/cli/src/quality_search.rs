//! The search for the best quality at which a file is not larger than a limit. Each attempt encodes the image from its
//! source, so the search needs few: it follows a model of the bytes at each quality. The page has the same search,
//! with more for WebP (`web/domain/quality-search.ts`); one table of cases tests both.

use raster::Quality;

/// The largest number of attempts.
pub(crate) const MOST_ATTEMPTS: u64 = 6;

/// A file of at least this part of the limit is good enough, and the search aims at the middle of that range.
const CLOSE: f64 = 0.95;
const AIM: f64 = 0.975;
/// Without any file below the limit, the search aims lower.
const CAREFUL_AIM: f64 = 0.8;

const LOWEST: f64 = 1.0;
/// The usual part of the bytes that a photograph takes with reduced colour.
const REDUCED_PART: f64 = 0.8;
/// From this quality on, colour has its full resolution unless the attempt says otherwise.
const FULL_COLOR_QUALITY: f64 = 90.0;
/// The usual slope of the logarithm of the bytes over that of the scale of the steps.
const USUAL_SLOPE: f64 = -0.7;
/// Keeps the scale of quality 100 above 0.
const LEAST_SCALE: f64 = 0.03;

/// The quality and the colour that an attempt encodes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempt {
    pub(crate) quality: Quality,
    /// Whether the colour is reduced, whatever the settings of the job.
    pub(crate) is_reduced: bool,
}

/// The range of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// The most bytes of the file.
    pub(crate) limit: u64,
    /// The best quality to try.
    pub(crate) highest: Quality,
    /// Whether the colour's resolution follows the quality. The bytes then jump at quality 90; higher qualities with
    /// reduced colour fill the gap.
    pub(crate) splits_color: bool,
}

impl Search {
    /// Calls `encode`, which returns the bytes of a file, for each attempt. The best attempt is the largest file within
    /// the limit, or else the last one of all, which has the lowest quality.
    ///
    /// # Errors
    /// The first error of `encode`.
    pub(crate) fn run<E>(&self, mut encode: impl FnMut(Attempt) -> Result<u64, E>) -> Result<(), E> {
        let mut bytes_at = |quality: f64, is_reduced: bool| {
            encode(Attempt { quality: exact(quality), is_reduced }).map(|bytes| Known { quality, bytes: bytes as f64 })
        };
        let limit = self.limit as f64;
        let highest = f64::from(self.highest.hundredths()) / 100.0;
        let first = highest.min(FULL_COLOR_QUALITY);
        let last = bytes_at(first, false)?;
        let mut state = State { limit, highest, attempts: 1, within: None, above: None, last, previous: None };
        let reduces = self.splits_color && first >= FULL_COLOR_QUALITY && last.bytes > limit;
        if reduces {
            // With reduced colour the same quality takes fewer bytes, so it is unknown whether it is above.
            state.last.bytes *= REDUCED_PART;
        } else {
            state.sort_last();
        }
        while let Some(quality) = state.next_quality() {
            state.previous = Some(state.last);
            state.last = bytes_at(quality, reduces && quality >= FULL_COLOR_QUALITY)?;
            state.attempts += 1;
            state.sort_last();
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Known {
    quality: f64,
    bytes: f64,
}

struct State {
    limit: f64,
    highest: f64,
    attempts: u64,
    /// The latest file within the limit, and the latest one above it.
    within: Option<Known>,
    above: Option<Known>,
    last: Known,
    previous: Option<Known>,
}

impl State {
    fn sort_last(&mut self) {
        let side = if self.last.bytes > self.limit { &mut self.above } else { &mut self.within };
        *side = Some(self.last);
    }

    /// Returns the quality of the next attempt; `None` at the end of the search.
    fn next_quality(&self) -> Option<f64> {
        let is_good = |known: Known| known.bytes >= self.limit * CLOSE || known.quality >= self.highest;
        let is_lowest = |known: Known| known.quality <= LOWEST;
        if self.attempts >= MOST_ATTEMPTS || self.within.is_some_and(is_good) || self.above.is_some_and(is_lowest) {
            return None;
        }
        if self.within.is_none() && self.attempts == MOST_ATTEMPTS - 1 {
            return Some(LOWEST);
        }
        let quality = (self.predicted() * 100.0 + 0.5).floor() / 100.0;
        let is_known = |known: Known| known.quality.total_cmp(&quality).is_eq();
        (!self.within.is_some_and(is_known) && !self.above.is_some_and(is_known)).then_some(quality)
    }

    /// Returns the quality at which the model has the bytes of the aim, or another one between those that are known.
    fn predicted(&self) -> f64 {
        let is_careful = self.within.is_none() && self.attempts > 2;
        let aim = self.limit * if is_careful { CAREFUL_AIM } else { AIM };
        let (from, slope) = match (self.within, self.above, self.previous) {
            (Some(within), Some(above), _) => (nearer(within, above, aim), slope_between(within, above)),
            (_, _, Some(previous)) => (self.last, slope_between(previous, self.last)),
            (_, _, None) => (self.last, USUAL_SLOPE),
        };
        let predicted = quality_at(scale_at(from.quality) * libm::pow(aim / from.bytes, 1.0 / slope));
        let low = self.within.map_or(LOWEST, |known| known.quality);
        let high = self.above.map_or(self.highest, |known| known.quality);
        if predicted > low && predicted < high {
            return predicted;
        }
        match (self.within, self.above) {
            (None, _) => LOWEST,
            (_, None) => self.highest,
            _ => quality_at((scale_at(low) * scale_at(high)).sqrt()),
        }
    }
}

fn exact(quality: f64) -> Quality {
    Quality::from_hundredths((quality * 100.0 + 0.5).floor() as u16)
}

fn slope_between(one: Known, other: Known) -> f64 {
    let slope = libm::log(one.bytes / other.bytes) / libm::log(scale_at(one.quality) / scale_at(other.quality));
    slope.clamp(-2.0, -0.15)
}

fn nearer(one: Known, other: Known, aim: f64) -> Known {
    let distance = |known: Known| libm::log(known.bytes / aim).abs();
    if distance(one) < distance(other) { one } else { other }
}

/// Returns the scale of the quantisation steps at a quality (libjpeg's, which libwebp's is similar to).
fn scale_at(quality: f64) -> f64 {
    (if quality < 50.0 { 50.0 / quality } else { 2.0 - quality / 50.0 }) + LEAST_SCALE
}

fn quality_at(scale: f64) -> f64 {
    let steps = scale - LEAST_SCALE;
    if steps > 1.0 { 50.0 / steps } else { 100.0 - 50.0 * steps.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The same table tests the page's implementation.
    #[test]
    fn every_row_of_the_shared_table_gives_its_attempts() {
        let table: Value = serde_json::from_str(include_str!("../../../tests/fixtures/quality-search.json")).unwrap();
        let rows = table.as_array().unwrap();
        assert!(rows.len() >= 60);
        for row in rows {
            let search = Search {
                limit: row["limit"].as_u64().unwrap(),
                highest: Quality::from_hundredths(row["highest"].as_u64().unwrap() as u16),
                splits_color: row["splitsColor"].as_bool().unwrap(),
            };
            let mut want = row["attempts"].as_array().unwrap().iter();
            let done = search.run(|attempt| {
                let step = want.next().ok_or("an attempt too many")?;
                let Attempt { quality, is_reduced } = attempt;
                assert_eq!(u64::from(quality.hundredths()), step["hundredths"].as_u64().unwrap(), "{row}");
                assert_eq!(is_reduced, step["isReduced"].as_bool().unwrap(), "{row}");
                Ok::<u64, &str>(step["bytes"].as_u64().unwrap())
            });
            assert_eq!(done, Ok(()), "{row}");
            assert_eq!(want.next(), None, "{row}");
        }
    }
}
