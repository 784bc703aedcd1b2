// The search for a quality, on curves of bytes like those of real encoders, and on curves that no encoder has.
import { describe, expect, test } from 'vitest';
import table from '../../tests/fixtures/quality-search.json';
import { type Attempt, MOST_ATTEMPTS, type Search, searchQuality } from './quality-search.ts';

type Curve = (attempt: Attempt) => number;

/** Returns the attempts of a search and the bytes of the best file; the smallest if none is within the limit. */
function search(curve: Curve, limit: number, options: Partial<Search> = {}) {
  const steps = searchQuality({ limit, highest: 100, ...options });
  const attempts: { quality: number; bytes: number }[] = [];
  let step = steps.next();
  while (!step.done) {
    const bytes = Math.round(curve(step.value));
    attempts.push({ quality: step.value.quality, bytes });
    step = steps.next(bytes);
  }
  const within = attempts.filter(({ bytes }) => bytes <= limit);
  const best = within.length > 0 ? Math.max(...within.map(({ bytes }) => bytes)) : null;
  return { attempts, best };
}

/** Bytes that fall with a power of the scale of libjpeg's steps; `fixed` is what every file has. */
const power =
  (exponent: number, size = 400_000, fixed = 600): Curve =>
  ({ quality }) => {
    const scale = quality < 50 ? 50 / quality : 2 - quality / 50;
    return fixed + size * (Math.max(scale, 0.02) / 0.5) ** -exponent;
  };

/** Bytes between those that are given for some qualities. */
const interpolated =
  (points: Readonly<Record<number, number>>): Curve =>
  ({ quality }) => {
    const known = Object.entries(points).map(([at, bytes]) => [Number(at), bytes] as const);
    const sorted = known.sort(([one], [other]) => one - other);
    const upper = sorted.findIndex(([at]) => at >= quality);
    const [low, high] = [sorted[Math.max(upper - 1, 0)], sorted[upper]];
    if (low === undefined || high === undefined) throw new Error('no such quality');
    const part = high[0] === low[0] ? 0 : (quality - low[0]) / (high[0] - low[0]);
    return low[1] + part * (high[1] - low[1]);
  };

/** Full colour from quality 90, which costs a quarter more. */
const withJump =
  (curve: Curve): Curve =>
  (attempt) =>
    curve(attempt) * (attempt.quality >= 90 && attempt.subsampling !== 'reduced' ? 1.25 : 1);

const LIMITS = [20_000, 50_000, 100_000, 200_000, 300_000, 500_000, 900_000, 2_000_000];

describe('the best file is within 5% of the limit, or has the highest quality', () => {
  test.each([
    ['a smooth picture', power(0.5), false],
    ['a usual picture', power(0.7), false],
    ['a detailed picture', power(0.9), false],
    ['a steep curve', power(1.3), false],
    ['colour that follows the quality', withJump(power(0.7)), true],
    ['colour that follows the quality, detailed', withJump(power(0.95, 700_000)), true],
  ])('%s', (_, curve, splitsColor) => {
    for (const limit of LIMITS) {
      const { attempts, best } = search(curve, limit, { splitsColor });
      const atEnd = attempts.some(({ quality, bytes }) => quality === 100 && bytes <= limit);
      expect(attempts.length, `${limit}`).toBeLessThanOrEqual(MOST_ATTEMPTS);
      if (curve({ quality: 1 }) > limit) expect(best).toBeNull();
      else if (!atEnd) expect((best ?? 0) / limit, JSON.stringify({ limit, attempts })).toBeGreaterThanOrEqual(0.95);
    }
  });
});

test('a limit that no quality reaches is given up with the lowest quality', () => {
  const { attempts, best } = search(power(0.7), 1000);
  expect(best).toBeNull();
  expect(attempts.at(-1)?.quality).toBe(1);
});

test('a file of the highest quality within the limit ends the search', () => {
  expect(search(() => 10, 1000).attempts.map(({ quality }) => quality)).toEqual([90, 100]);
  expect(search(() => 10, 1000, { highest: 60 }).attempts.map(({ quality }) => quality)).toEqual([60]);
});

test('curves of no encoder end, too, with a file within the limit if one was met', () => {
  const curves: Curve[] = [
    ({ quality }) => (Math.floor(quality) % 2 === 0 ? 500 : 1500),
    ({ quality }) => 2000 - quality * 15,
    ({ quality }) => (quality > 40 ? 5000 : 10),
    () => 1001,
    () => 0,
  ];
  for (const curve of curves) {
    const { attempts, best } = search(curve, 1000);
    expect(attempts.length).toBeLessThanOrEqual(MOST_ATTEMPTS);
    expect(best === null).toBe(attempts.every(({ bytes }) => bytes > 1000));
    for (const { quality } of attempts) expect(quality >= 1 && quality <= 100).toBe(true);
  }
});

describe('WebP', () => {
  test('uses qualities below 1', () => {
    // The bytes of a photograph, measured.
    const curve = interpolated({ 0: 9904, 0.1: 12_252, 0.5: 14_368, 1: 15_670, 10: 26_350, 90: 141_000, 100: 300_000 });
    const { best } = search(curve, 15_360, { lowest: 0 });
    expect((best ?? 0) / 15_360).toBeGreaterThanOrEqual(0.95);
    expect(search(curve, 9900, { lowest: 0 })).toMatchObject({ best: null });
    expect(search(curve, 9900, { lowest: 0 }).attempts.at(-1)?.quality).toBe(0);
  });

  test('fills a gap between two qualities by more effort', () => {
    // The jump of a photograph, measured.
    const below = interpolated({ 1: 8000, 90: 56_300, 97.34: 115_100 });
    const above = interpolated({ 97.34: 126_760, 98: 130_000, 100: 200_000 });
    const curve: Curve = (attempt) =>
      (attempt.quality <= 97.34 ? below(attempt) : above(attempt)) * (attempt.effort === 'smallest' ? 0.943 : 1);
    const { attempts, best } = search(curve, 122_880, { savesByEffort: true });
    expect(best).toBeGreaterThan(122_880 * 0.95);
    expect(attempts.length).toBeLessThanOrEqual(MOST_ATTEMPTS);
    expect(search(curve, 122_880).best).toBeLessThan(122_880 * 0.95);
  });
});

// The same table tests the search of the command line.
test.each(table)('the shared table: $why, $limit bytes', ({ limit, highest, splitsColor, attempts }) => {
  const steps = searchQuality({ limit, highest: highest / 100, splitsColor });
  let step = steps.next();
  for (const { hundredths, isReduced, bytes } of attempts) {
    expect(step.value).toEqual({ quality: hundredths / 100, ...(isReduced ? { subsampling: 'reduced' } : {}) });
    step = steps.next(bytes);
  }
  expect(step.done).toBe(true);
});
