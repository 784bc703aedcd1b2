import { describe, expect, it } from 'vitest';
import { ReadAhead } from './read-ahead.ts';

const MIB = 2 ** 20;
const KIB = 2 ** 10;

/** Requests ranges one after another, each answered in full, and returns the range that is read for the last one. */
function readOf(policy: ReadAhead, ...ranges: readonly (readonly [start: number, end: number])[]) {
  let read = { start: 0, end: 0 };
  for (const [start, end] of ranges) {
    policy.onRequest({ start, end });
    read = policy.rangeFor({ start, end });
    policy.onAnswer({ start, end });
  }
  return read;
}

describe('the range that is read', () => {
  it('is only the request after a jump', () => {
    const policy = new ReadAhead(100 * MIB);
    expect(readOf(policy, [0, 10], [50 * MIB, 50 * MIB + 10])).toEqual({ start: 50 * MIB, end: 50 * MIB + 10 });
  });

  it('doubles from 1 MiB to 8 MiB while the file is read forward', () => {
    const policy = new ReadAhead(100 * MIB);
    policy.onRequest({ start: 0, end: KIB });
    policy.onAnswer({ start: 0, end: KIB });
    const lengths = [];
    for (let at = KIB; lengths.length < 6; ) {
      policy.onRequest({ start: at, end: at + KIB });
      const { start, end } = policy.rangeFor({ start: at, end: at + KIB });
      expect(start).toBe(at);
      policy.onAnswer({ start: end - KIB, end });
      lengths.push((end - start) / MIB);
      at = end;
    }
    expect(lengths).toEqual([1, 2, 4, 8, 8, 8]);
  });

  it('ends where the request ends while the file is read backward', () => {
    const policy = new ReadAhead(100 * MIB);
    const at = 50 * MIB;
    expect(readOf(policy, [at, at + KIB], [at - KIB, at])).toEqual({ start: at - MIB, end: at });
  });

  it('is inside the file', () => {
    expect(readOf(new ReadAhead(3 * KIB), [0, KIB], [KIB, 2 * KIB])).toEqual({ start: KIB, end: 3 * KIB });
    expect(readOf(new ReadAhead(3 * KIB), [2 * KIB, 3 * KIB], [KIB, 2 * KIB])).toEqual({ start: 0, end: 2 * KIB });
  });

  it('is never shorter than the request', () => {
    const policy = new ReadAhead(100 * MIB);
    expect(readOf(policy, [0, KIB], [KIB, KIB + 20 * MIB])).toEqual({ start: KIB, end: KIB + 20 * MIB });
  });

  it('starts again at 1 MiB after a jump', () => {
    const policy = new ReadAhead(100 * MIB);
    const at = 50 * MIB;
    const read = readOf(policy, [0, KIB], [KIB, 2 * KIB], [2 * KIB, 3 * KIB], [at, at + KIB], [at + KIB, at + 2 * KIB]);
    expect(read).toEqual({ start: at + KIB, end: at + KIB + MIB });
  });
});

describe('the range to read in the background', () => {
  const window = { start: 0, end: MIB };

  it('is none while the core reads at random', () => {
    const policy = new ReadAhead(100 * MIB);
    readOf(policy, [0, KIB], [10 * KIB, 11 * KIB]);
    expect(policy.next([window])).toBeNull();
  });

  it('follows the window that the core reads forward, with at least 4 MiB', () => {
    const policy = new ReadAhead(100 * MIB);
    readOf(policy, [0, KIB], [KIB, 2 * KIB]);
    expect(policy.next([window])).toEqual({ start: MIB, end: 5 * MIB });
  });

  it('precedes the window that the core reads backward', () => {
    const policy = new ReadAhead(100 * MIB);
    readOf(policy, [60 * MIB, 61 * MIB], [59 * MIB, 60 * MIB]);
    expect(policy.next([{ start: 58 * MIB, end: 61 * MIB }])).toEqual({ start: 54 * MIB, end: 58 * MIB });
  });

  it('is none if the next window exists, and at the end of the file', () => {
    const policy = new ReadAhead(2 * MIB);
    readOf(policy, [0, KIB], [KIB, 2 * KIB]);
    expect(policy.next([window, { start: MIB, end: 2 * MIB }])).toBeNull();
    expect(policy.next([{ start: 0, end: 2 * MIB }])).toBeNull();
  });
});

describe('the next step', () => {
  it('may run out of bytes if less is left than the longest step has read', () => {
    const policy = new ReadAhead(100 * MIB);
    readOf(policy, [0, 300 * KIB], [300 * KIB, 400 * KIB]);
    policy.onStep();
    const windowTo = (end: number) => [{ start: 0, end }];
    expect(policy.mayRunOut(windowTo(800 * KIB))).toBe(false);
    expect(policy.mayRunOut(windowTo(799 * KIB))).toBe(true);
    readOf(policy, [400 * KIB, 401 * KIB]);
    policy.onStep();
    expect(policy.mayRunOut(windowTo(800 * KIB))).toBe(true);
  });

  it('does not wait while the core reads at random', () => {
    const policy = new ReadAhead(100 * MIB);
    readOf(policy, [0, KIB], [5 * KIB, 6 * KIB]);
    policy.onStep();
    expect(policy.mayRunOut([{ start: 0, end: 6 * KIB }])).toBe(false);
  });
});
