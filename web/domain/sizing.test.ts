// The table that the command line obeys too, and what must hold for every picture and every wish.
import { expect, test } from 'vitest';
import table from '../../tests/fixtures/sizing.json';
import { DEFAULT_FORM, readForm } from './form.ts';
import { MAX_SIDE } from './formats.ts';
import type { Part, Picture, Rgba, Size } from './job.ts';
import { uprightSize } from './job.ts';
import type { Fit, Recipe, SizeWish } from './recipe.ts';
import { type Geometry, geometryFor, jobsFor, planFor, sourceSize } from './sizing.ts';

const WHITE: Rgba = [255, 255, 255, 255];
const px = (value: number | null) => (value === null ? null : ({ unit: 'px', value } as const));

interface Wish {
  width: number | null;
  height: number | null;
  percent: number | null;
  fit: string;
  enlarge: boolean;
}

function sizeWish({ width, height, percent, fit }: Wish): SizeWish {
  if (percent !== null) return { by: 'percent', percent };
  return { by: 'box', width: px(width), height: px(height), fit: fit as Fit };
}

test.each(table)('$why', ({ stored, orientation, wish, crop, target, canvas }) => {
  const upright = uprightSize({ ...stored, orientation });
  const geometry = geometryFor(sizeWish(wish), upright, wish.enlarge, WHITE);
  expect(geometry).toEqual({ crop, target, canvas: canvas && { ...canvas, color: WHITE } });
});

const FITS: readonly Fit[] = ['contain', 'cover', 'stretch', 'pad'];
const SMALL = Array.from({ length: 9 }, (_, i) => i + 1);

/** Every picture and every box up to 9 × 9, all fits, growing or not: 52 488 cases. */
function* everySmallCase(): Generator<{ upright: Size; box: Size; fit: Fit; enlarge: boolean; geometry: Geometry }> {
  for (const width of SMALL) {
    for (const height of SMALL) {
      for (const w of SMALL) {
        for (const h of SMALL) {
          for (const fit of FITS) {
            for (const enlarge of [false, true]) {
              const upright = { width, height };
              const wish: SizeWish = { by: 'box', width: px(w), height: px(h), fit };
              const geometry = geometryFor(wish, upright, enlarge, WHITE);
              yield { upright, box: { width: w, height: h }, fit, enlarge, geometry };
            }
          }
        }
      }
    }
  }
}

test('no side is ever 0, no crop leaves the picture, no target leaves its canvas', () => {
  for (const { upright, geometry } of everySmallCase()) {
    const { crop, target, canvas } = geometry;
    const ground = canvas?.size ?? target;
    const isSound =
      Math.min(crop.width, crop.height, target.width, target.height) >= 1 &&
      crop.x >= 0 &&
      crop.y >= 0 &&
      crop.x + crop.width <= upright.width &&
      crop.y + crop.height <= upright.height &&
      (canvas?.x ?? 0) + target.width <= ground.width &&
      (canvas?.y ?? 0) + target.height <= ground.height;
    if (!isSound) expect.fail(JSON.stringify({ upright, geometry }));
  }
});

test('the result is the box but where the picture keeps its own shape or may not grow', () => {
  for (const { upright, box, fit, enlarge, geometry } of everySmallCase()) {
    const result = geometry.canvas?.size ?? geometry.target;
    const isBox = result.width === box.width && result.height === box.height;
    const isWithin = result.width <= box.width && result.height <= box.height;
    const grows = box.width > upright.width || box.height > upright.height;
    const mustBeBox = fit === 'pad' || ((enlarge || !grows) && (fit === 'cover' || fit === 'stretch'));
    if (mustBeBox && !isBox) expect.fail(JSON.stringify({ upright, box, fit, enlarge, geometry }));
    if (!isWithin) expect.fail(JSON.stringify({ upright, box, fit, enlarge, geometry }));
  }
});

test('nothing grows unless it may', () => {
  for (const { enlarge, geometry } of everySmallCase()) {
    const { crop, target } = geometry;
    const grows = target.width > crop.width || target.height > crop.height;
    if (grows && !enlarge) expect.fail(JSON.stringify(geometry));
  }
});

test('arithmetic is exact for the longest sides there are', () => {
  const wish: SizeWish = { by: 'box', width: px(999_999), height: null, fit: 'contain' };
  const of = (height: number) => geometryFor(wish, { width: MAX_SIDE, height }, false, WHITE).target.height;
  // 999 999 / 1 000 000 of each: 999 998.000001, 500 000.4999995 and 500 000 − 0.5 + 0.000001
  expect([of(999_999), of(500_001), of(500_000)]).toEqual([999_998, 500_000, 500_000]);
});

test('the longest side is width or height, whichever it is', () => {
  const wish: SizeWish = { by: 'longest', side: 1000 };
  const of = (width: number, height: number) => geometryFor(wish, { width, height }, false, WHITE).target;
  expect(of(4000, 3000)).toEqual({ width: 1000, height: 750 });
  expect(of(3000, 4000)).toEqual({ width: 750, height: 1000 });
  expect(of(2000, 2000)).toEqual({ width: 1000, height: 1000 });
  expect(of(800, 600)).toEqual({ width: 800, height: 600 });
});

const picture: Picture = {
  format: 'jpeg',
  width: 4000,
  height: 3000,
  orientation: 6,
  depth: 8,
  frames: 1,
  sequence: 'single',
  frameSizes: [],
  carries: 'nothing',
  workingSet: 0,
};

function recipeFor(changes: Partial<typeof DEFAULT_FORM>): Recipe {
  const reading = readForm({ ...DEFAULT_FORM, ...changes });
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.recipe;
}

test('percent of a side is of the upright side', () => {
  const plan = planFor(
    recipeFor({ width: '50%', height: '25%', keepProportions: false, otherShape: 'stretch' }),
    picture,
  );
  expect(plan).toMatchObject({ kind: 'resize', size: { width: 1500, height: 1000 } });
});

test.each([
  ['smaller than wished', {}, { width: 800, height: 600 }, { kind: 'kept', reason: 'already-smaller' }],
  ['as large as wished', { width: '800' }, { width: 800, height: 600 }, { kind: 'kept', reason: 'same-size' }],
  ['of another format', { format: 'png' }, { width: 800, height: 600 }, { kind: 'resize', format: 'png' }],
  ['wished in the format it has', { format: 'jpeg' }, { width: 800, height: 600 }, { kind: 'kept', format: 'jpeg' }],
  ['wished in a quality of its own', { quality: 60 }, { width: 800, height: 600 }, { kind: 'resize' }],
  [
    'wished smaller',
    { width: '799' },
    { width: 800, height: 600 },
    { kind: 'resize', size: { width: 799, height: 599 } },
  ],
  [
    'on a larger canvas',
    { height: '1920', keepProportions: false, otherShape: 'pad' },
    { width: 800, height: 600 },
    { kind: 'resize', size: { width: 1920, height: 1920 } },
  ],
] as const)('the original bytes are kept only where nothing changes: %s', (_, changes, size, plan) => {
  const small = { ...picture, ...size, orientation: 1 };
  expect(planFor(recipeFor(changes), small)).toMatchObject(plan);
});

test('a lossless picture is kept whatever the quality field says', () => {
  const small: Picture = { ...picture, format: 'png', width: 80, height: 60, orientation: 1 };
  expect(planFor(recipeFor({ quality: 60 }), small)).toMatchObject({ kind: 'kept' });
});

test('what cannot be written becomes PNG', () => {
  expect(planFor(recipeFor({}), { ...picture, format: 'gif' })).toMatchObject({ kind: 'resize', format: 'png' });
});

test('a result longer than its format allows is known before anything runs', () => {
  const recipe = recipeFor({ width: '70000', dontEnlarge: false });
  const size = { width: 70_000, height: 93_333 };
  expect(planFor(recipe, picture)).toEqual({ kind: 'too-long', format: 'jpeg', size, max: 65_535 });
  expect(planFor({ ...recipe, format: 'png' }, picture)).toEqual({ kind: 'huge', format: 'png', size });
});

test('a result of more than a billion pixels is a slip where the picture would grow to it, and not where it is as large', () => {
  const png = { ...picture, format: 'png', orientation: 1 } as const;
  const size = { width: 36_515, height: 27_386 };
  expect(planFor(recipeFor({ width: '36515', dontEnlarge: false }), png)).toMatchObject({ kind: 'resize', size });
  expect(planFor(recipeFor({ width: '37000', dontEnlarge: false }), png)).toMatchObject({ kind: 'huge' });
  const scan = { ...png, width: 90_000, height: 60_000 };
  expect(planFor(recipeFor({ mode: 'percent', percent: '50' }), scan)).toMatchObject({ kind: 'resize' });
  expect(planFor(recipeFor({ mode: 'percent', percent: '100', format: 'bmp' }), scan)).toMatchObject({
    kind: 'resize',
  });
});

test('a job carries the plan, the recipe and its memory to the core', () => {
  const recipe = recipeFor({ quality: 80 });
  const plan = planFor(recipe, picture);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  const crop = { x: 0, y: 0, width: 3000, height: 4000 };
  expect(jobsFor(recipe, plan, 1e6)).toEqual([
    {
      parts: [{ frame: 0, crop, target: { width: 1920, height: 2560 }, canvas: null }],
      kernel: 'lanczos3',
      light: 'auto',
      output: { format: 'jpeg', quality: 80, background: [255, 255, 255] },
      metadata: 'keep-without-location',
      memory: 1e6,
    },
  ]);
});

const scan: Picture = {
  ...picture,
  format: 'tiff',
  width: 2000,
  height: 1000,
  orientation: 1,
  frames: 3,
  sequence: 'pages',
  frameSizes: [
    { width: 2000, height: 1000 },
    { width: 1000, height: 4000 },
    { width: 300, height: 300 },
  ],
};

/** An icon of three sizes, the largest first, as its reader has them. */
const icon: Picture = {
  ...scan,
  format: 'ico',
  width: 64,
  height: 64,
  sequence: 'sizes',
  frameSizes: [64, 32, 16].map((side) => ({ width: side, height: side })),
};

/** Of each file the pictures: frame, width and height. */
function filesOf(changes: Partial<typeof DEFAULT_FORM>, source: Picture): string[][] | string {
  const plan = planFor(recipeFor(changes), source);
  if (plan.kind !== 'resize') return plan.kind;
  const words = ({ frame, target, canvas }: Part) => {
    const { width, height } = canvas?.size ?? target;
    return `${frame}: ${width}x${height}`;
  };
  return plan.files.map((parts) => parts.map(words));
}

test('every page is sized by itself, in one file where the format holds pages, else in files of their own', () => {
  const pages = ['0: 500x250', '1: 500x2000', '2: 300x300'];
  expect(filesOf({ width: '500' }, scan)).toEqual([pages]);
  expect(filesOf({ width: '500', format: 'png' }, scan)).toEqual(pages.map((page) => [page]));
  expect(filesOf({ width: '500', format: 'png', pages: 'first' }, scan)).toEqual([['0: 500x250']]);
});

test('pages are kept together only if none changes', () => {
  const alike = { ...scan, frameSizes: [] };
  expect(filesOf({ width: '500' }, alike)).toEqual([['0: 500x250', '1: 500x250', '2: 500x250']]);
  expect(filesOf({ width: '2000' }, alike)).toBe('kept');
  expect(filesOf({ width: '2000' }, scan)).toBe('kept');
  expect(filesOf({ width: '1500' }, scan)).toEqual([['0: 1500x750', '1: 1000x4000', '2: 300x300']]);
  expect(filesOf({ width: '2000', pages: 'first' }, scan)).toEqual([['0: 2000x1000']]);
});

test('the frames of an animation stay one file, or the first alone is left', () => {
  const animation: Picture = { ...picture, format: 'png', orientation: 1, frames: 3, sequence: 'animation' };
  expect(filesOf({ width: '400' }, animation)).toEqual([['0: 400x300', '1: 400x300', '2: 400x300']]);
  expect(filesOf({ width: '400', format: 'jpeg' }, animation)).toEqual([['0: 400x300']]);
});

test('an icon has the usual sizes up to the wished one, each from the entry that has it', () => {
  const usual = [16, 24, 32, 48, 64, 128, 256].map((side) => `0: ${side}x${side}`);
  expect(filesOf({ format: 'ico' }, picture)).toEqual([usual]);
  expect(filesOf({ format: 'ico', width: '48' }, { ...picture, orientation: 1 })).toEqual([usual.slice(0, 4)]);
  expect(filesOf({ width: '32' }, icon)).toEqual([['2: 16x16', '0: 24x24', '1: 32x32']]);
  expect(filesOf({ width: '64' }, icon)).toBe('kept');
  expect(filesOf({ width: '64', format: 'png' }, icon)).toEqual([['0: 64x64']]);
});

test('an icon has the sizes that are chosen, whatever width is typed, and none that would have to grow', () => {
  expect(filesOf({ format: 'ico', iconSizes: [48, 16], width: '20' }, picture)).toEqual([['0: 16x16', '0: 48x48']]);
  const small: Picture = { ...picture, format: 'png', width: 60, height: 20, orientation: 1 };
  expect(filesOf({ format: 'ico', iconSizes: [32, 64, 256] }, small)).toEqual([['0: 32x32']]);
  expect(filesOf({ format: 'ico', iconSizes: [64, 256] }, small)).toEqual([['0: 64x64']]);
  const grown = [['0: 64x64', '0: 256x256']];
  expect(filesOf({ format: 'ico', iconSizes: [64, 256], dontEnlarge: false }, small)).toEqual(grown);
  // Each from the entry that has it; one that holds just these stays.
  expect(filesOf({ iconSizes: [16, 24, 32] }, icon)).toEqual([['2: 16x16', '0: 24x24', '1: 32x32']]);
  expect(filesOf({ iconSizes: [16, 32, 64] }, icon)).toBe('kept');
  expect(filesOf({ iconSizes: [16, 32, 64], entries: 'all' }, icon)).not.toBe('kept');
});

test.each([
  ['largest', [0]],
  ['all', [0, 1, 2]],
  [16, [2]],
  [20, [1]],
  [64, [0]],
  [256, [0]],
] as const)('of an icon of 64, 32 and 16 px, %s is %j', (entries, frames) => {
  const files = filesOf({ entries, format: 'png' }, icon);
  expect(files).toEqual(frames.map((frame) => [`${frame}: ${[64, 32, 16][frame]}x${[64, 32, 16][frame]}`]));
});

test('pictures chosen of an icon become icons as if each had been a file', () => {
  expect(filesOf({ entries: 32 }, icon)).toEqual([['1: 16x16', '1: 24x24', '1: 32x32']]);
  const all = [['0: 16x16', '0: 32x32'], ['1: 16x16', '1: 32x32'], ['2: 16x16']];
  expect(filesOf({ entries: 'all', iconSizes: [16, 32] }, icon)).toEqual(all);
  const eachPage = [['0: 16x16'], ['1: 16x16'], ['2: 16x16']];
  expect(filesOf({ mode: 'longest', longest: '16', format: 'ico' }, scan)).toEqual(eachPage);
});

test('what the result tells of its size is that of its first picture', () => {
  expect(planFor(recipeFor({ entries: 32, format: 'png' }), icon)).toMatchObject({ size: { width: 32, height: 32 } });
  expect(planFor(recipeFor({ entries: 32 }), icon)).toMatchObject({ size: { width: 32, height: 32 } });
});

test.each([
  ['largest', 'png', 64],
  [32, 'png', 32],
  [32, 'ico', 32],
  ['all', 'png', 64],
  ['largest', 'ico', 64],
] as const)('of an icon of 64, 32 and 16 px, %s as %s is made from %j px', (entries, format, side) => {
  const plan = planFor(recipeFor({ entries, format }), icon);
  expect(sourceSize(icon, plan)).toEqual({ width: side, height: side });
});

test('what is made of a turned photograph, or of nothing yet, is made from its upright size', () => {
  const turned = { ...picture, width: 400, height: 300, orientation: 6 };
  expect(sourceSize(turned, planFor(recipeFor({ width: '100' }), turned))).toEqual({ width: 300, height: 400 });
  expect(sourceSize(turned, null)).toEqual({ width: 300, height: 400 });
});

test('a TIFF that is to be coded otherwise is written anew, other files stay', () => {
  const wish = { width: '2000', compression: 'none' } as const;
  expect(filesOf(wish, { ...scan, frameSizes: [] })).not.toBe('kept');
  expect(filesOf({ ...wish, effort: 'smallest' }, { ...scan, format: 'png', frames: 1, sequence: 'single' })).toBe(
    'kept',
  );
});

test.each([
  ['png', { effort: 'smallest' }],
  ['tiff', { compression: 'deflate' }],
  ['jpeg', { quality: 40 }],
  ['bmp', {}],
] as const)('the job of a %s is told of the settings that it has, and of no others', (format, part) => {
  const recipe = recipeFor({ format, width: '500', effort: 'smallest', compression: 'deflate', quality: 40 });
  const plan = planFor(recipe, picture);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  const background = [255, 255, 255];
  expect(jobsFor(recipe, plan, 0)[0]?.output).toEqual({ format, quality: null, background, ...part });
});

test.each([
  ['nothing', 'remove', 'jpeg', { kind: 'kept', relabel: null }],
  ['details', 'keep-without-location', 'jpeg', { kind: 'kept', relabel: null }],
  ['details', 'remove', 'jpeg', { kind: 'kept', relabel: 'remove' }],
  ['location', 'keep-without-location', 'png', { kind: 'kept', relabel: 'keep-without-location' }],
  ['location', 'keep', 'jpeg', { kind: 'kept', relabel: null }],
  // Its pixels are lossless, so that it can be written anew.
  ['location', 'keep-without-location', 'tiff', { kind: 'resize' }],
] as const)(
  'a kept original that carries %s under "%s", a %s, tells no more than it may',
  (carries, metadata, format, plan) => {
    const small: Picture = { ...picture, format, width: 80, height: 60, orientation: 1, carries };
    expect(planFor(recipeFor({ metadata }), small)).toMatchObject(plan);
  },
);
