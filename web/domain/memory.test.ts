import { expect, test } from 'vitest';
import { memoryBudget } from './device-memory.ts';
import type { WritableFormat } from './formats.ts';
import { geometryFor } from './geometry.ts';
import { jobMemory } from './memory.ts';
import type { Picture } from './picture.ts';

const MIB = 2 ** 20;
const photo: Picture = {
  format: 'jpeg',
  width: 6000,
  height: 4000,
  orientation: 1,
  depth: 8,
  channels: 3,
  alpha: false,
  icc: false,
  frames: 1,
  sequence: 'single',
  frameSizes: [],
  metadata: 'none',
  workingSet: 72e6,
  hasPalette: false,
  hasGainMap: false,
};

function memoryAt(width: number, changes: Partial<Picture> = {}, format: WritableFormat = 'png'): number {
  const picture = { ...photo, ...changes };
  const rule = { by: 'box', width: { unit: 'px', value: width }, height: null, fit: 'contain' } as const;
  const upright = { width: picture.width, height: picture.height };
  return jobMemory(picture, { files: [[{ frame: 0, ...geometryFor(rule, upright, true, [0, 0, 0, 0]) }]], format });
}

test('the memory of a job is the memory of its decoder and some rows', () => {
  expect(memoryAt(1920)).toBeGreaterThan(photo.workingSet);
  expect(memoryAt(1920)).toBeLessThan(photo.workingSet + 32 * MIB);
});

test('the height does not count if rows are streamed', () => {
  const picture = { workingSet: 0, height: 400_000 };
  expect(memoryAt(1920, picture)).toBeLessThan(96 * MIB);
});

test('the memory of the encoder counts, up to its maximum', () => {
  expect(memoryAt(300, {}, 'jpeg') - memoryAt(300)).toBe(300 * 200 * 15);
  expect(memoryAt(60_000, {}, 'jpeg') - memoryAt(60_000)).toBe(24 * MIB);
  expect(memoryAt(1920, {}, 'bmp') - memoryAt(1920)).toBe(1920 * 1280 * 4);
  expect(memoryAt(60_000, {}, 'bmp') - memoryAt(60_000)).toBe(64 * MIB);
});

test('a PNG from a palette holds its rows and indices', () => {
  const less = (side: number) => memoryAt(side, { hasPalette: true }, 'png') - memoryAt(side, {}, 'png');
  expect(less(300)).toBe(300 * 200 * 5);
  expect(less(60_000)).toBe(44 * MIB);
});

test('the coefficients of a progressive JPEG count', () => {
  const part = { frame: 0, crop: { x: 0, y: 0, width: 6000, height: 4000 }, canvas: null };
  const output = { files: [[{ ...part, target: { width: 3000, height: 2000 } }]], format: 'jpeg' } as const;
  const more = jobMemory(photo, { ...output, coding: 'progressive' }) - jobMemory(photo, output);
  expect(more).toBe(3000 * 2000 * 10);
  expect(jobMemory(photo, { ...output, format: 'png', coding: 'smallest' })).toBeLessThan(jobMemory(photo, output));
});

test('a page larger than the first counts with its own size', () => {
  const small: Partial<Picture> = { width: 100, height: 100, frameSizes: [{ width: 100, height: 100 }] };
  const large: Partial<Picture> = { width: 100, height: 100, frameSizes: [{ width: 400, height: 100 }] };
  expect(memoryAt(50, large) - memoryAt(50, small)).toBe(3 * photo.workingSet);
});

test('a job needs at most the address space of a worker', () => {
  expect(memoryAt(1920, { workingSet: 5e9 })).toBe(4096 * MIB);
});

test('a rotated picture counts whole, at its target size', () => {
  expect(memoryAt(1920, { orientation: 3 }) - memoryAt(1920)).toBe(1920 * 1280 * 4);
  expect(memoryAt(1920, { orientation: 3, depth: 16 }) - memoryAt(1920)).toBe(1920 * 1280 * 8);
  expect(memoryAt(1920, { orientation: 2 })).toBe(memoryAt(1920));
});

test.each([
  [0.25, 256],
  [1, 256],
  [2, 512],
  [4, 1024],
  [8, 2048],
  [64, 2048],
  [undefined, 1024],
])('a device with %j GiB has a budget of %j MiB', (gib, mib) => {
  expect(memoryBudget(gib)).toBe(mib * MIB);
});

test('limits of ringing count for each column of the result', () => {
  const part = { frame: 0, crop: { x: 0, y: 0, width: 6000, height: 4000 }, canvas: null };
  const output = { files: [[{ ...part, target: { width: 3000, height: 2000 } }]], format: 'jpeg' } as const;
  const more = jobMemory(photo, { ...output, ringing: 'limited' }) - jobMemory(photo, output);
  expect(more).toBe(3000 * 16 * 32);
});
