import { describe, expect, it } from 'vitest';
import { TimeLeftEstimate } from './time-left.ts';

/** Returns the shown times of a run of equal images, after each second. */
function shownTimes(total: number, secondsPerImage: (i: number) => number) {
  const estimate = new TimeLeftEstimate(0);
  let now = 0;
  return Array.from({ length: total }, (_, i) => {
    now += secondsPerImage(i) * 1000;
    const left = estimate.update(now, i + 1, total);
    return left === null ? '' : left.unit === 'moments' ? 'moments' : `${left.count} ${left.unit}`;
  });
}

describe('the time left', () => {
  it('is shown from the tenth image on, in whole minutes and then in tens of seconds', () => {
    const shown = shownTimes(200, () => 1);
    expect(shown.slice(0, 9)).toEqual(Array(9).fill(''));
    expect(shown[9]).toBe('4 minutes');
    expect([...new Set(shown.slice(9))]).toEqual([
      ...['4 minutes', '3 minutes', '2 minutes', '1 minutes'],
      ...['50 seconds', '40 seconds', '30 seconds', '20 seconds', 'moments'],
    ]);
  });

  it('does not jump to and fro if images take longer and shorter in turn', () => {
    const shown = shownTimes(300, (i) => (i % 7 === 0 ? 4 : 0.5)).filter((text) => text !== '');
    const changes = shown.filter((text, i) => i > 0 && text !== shown[i - 1]);
    expect(new Set(changes).size).toBe(changes.length);
  });

  it('rises if the rest takes much longer', () => {
    const shown = shownTimes(100, (i) => (i < 50 ? 0.1 : 10));
    expect(shown[49]).toBe('moments');
    expect(shown[60]).toMatch(/minutes/);
  });

  it('begins anew with another run', () => {
    const estimate = new TimeLeftEstimate(0);
    estimate.update(100_000, 50, 100);
    expect(estimate.update(101_000, 0, 100)).toBeNull();
    expect(estimate.update(111_000, 10, 100)).toEqual({ unit: 'minutes', count: 2 });
  });
});
