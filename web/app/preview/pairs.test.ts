// What the preview shows beside what.
import { expect, it } from 'vitest';
import type { ImageInfo } from '../../engine/index.ts';
import type { Phase } from '../state/item.ts';
import { fileNamed, pictureInfo } from '../state/testing/scripted-engine.ts';
import { type PreviewImage, pairsOf } from './pairs.ts';

const READY: Phase = { phase: 'ready' };
const animation = pictureInfo(64, 48, { format: 'gif', frames: 5, sequence: 'animation' });
const scan = pictureInfo(64, 48, { format: 'tiff', frames: 2, sequence: 'pages' });

interface Output {
  readonly format: 'gif' | 'jpeg' | 'tiff' | 'ico';
  readonly frames?: number;
  readonly frame?: number;
}

function doneWith(...outputs: readonly Output[]): Phase {
  const [first, ...more] = outputs.map(({ format, frames = 1, frame = 0 }) => ({
    ...{ blob: new Blob(), format, width: 32, height: 24, frames, frame },
    ...{ byteLength: 0, crc32: 0, warnings: [], memory: 0 },
  }));
  if (first === undefined) throw new Error('a result has no file');
  return { phase: 'done', outputs: [first, ...more], resultKey: '', saved: false };
}

/** Returns `gif 64x48 animated | jpeg 32x24` for each pair; a number is the page. */
function words(info: ImageInfo | null, phase: Phase): string[] {
  const text = (image: PreviewImage | null) =>
    image === null
      ? 'none'
      : [
          image.format,
          `${image.size.width}x${image.size.height}`,
          ...(image.frame === null ? [] : [image.frame]),
          ...(image.isAnimated ? ['animated'] : []),
        ].join(' ');
  return pairsOf({ file: fileNamed('a'), info, phase }).map(({ before, after }) => `${text(before)} | ${text(after)}`);
}

it('is the original before the run: one image, or each page', () => {
  expect(words(null, { phase: 'reading' })).toEqual([]);
  expect(words(pictureInfo(64, 48), READY)).toEqual(['jpeg 64x48 | none']);
  expect(words(animation, READY)).toEqual(['gif 64x48 animated | none']);
  expect(words(scan, READY)).toEqual(['tiff 64x48 0 | none', 'tiff 64x48 1 | none']);
});

it('is the original beside its result', () => {
  expect(words(animation, doneWith({ format: 'gif', frames: 5 }))).toEqual(['gif 64x48 animated | gif 32x24 animated']);
  expect(words(animation, doneWith({ format: 'jpeg' }))).toEqual(['gif 64x48 animated | jpeg 32x24']);
  expect(words(pictureInfo(64, 48), doneWith({ format: 'ico', frames: 3 }))).toEqual(['jpeg 64x48 | ico 32x24']);
});

it('is each page beside its result, in one file or in several', () => {
  const both = ['tiff 64x48 0 | tiff 32x24 0', 'tiff 64x48 1 | tiff 32x24 1'];
  expect(words(scan, doneWith({ format: 'tiff', frames: 2 }))).toEqual(both);
  expect(words(scan, doneWith({ format: 'jpeg', frame: 0 }, { format: 'jpeg', frame: 1 }))).toEqual([
    'tiff 64x48 0 | jpeg 32x24',
    'tiff 64x48 1 | jpeg 32x24',
  ]);
});

it('has no original where a damaged page is missing in the result', () => {
  expect(words({ ...scan, frames: 3 }, doneWith({ format: 'tiff', frames: 2 }))).toEqual([
    'none | tiff 32x24 0',
    'none | tiff 32x24 1',
  ]);
});
