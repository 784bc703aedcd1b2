// Plans for images (kept, resized, or refused) and the jobs that follow from them.
import { describe, expect, test } from 'vitest';
import type { Part } from './job.ts';
import { jobsFor } from './jobs.ts';
import type { Picture } from './picture.ts';
import { planFor, sourceSize, type TurnedCopy } from './plan.ts';
import type { DEFAULT_FORM } from './settings.ts';
import { picture, recipeFor } from './testing/plans.ts';

test('percent refers to the upright side', () => {
  const plan = planFor(
    recipeFor({ width: '50%', height: '25%', keepProportions: false, otherShape: 'stretch' }),
    picture,
  );
  expect(plan).toMatchObject({ kind: 'resize', size: { width: 1500, height: 1000 } });
});

test.each([
  ['smaller than requested', {}, { width: 800, height: 600 }, { kind: 'kept', reason: 'already-smaller' }],
  ['of the requested size', { width: '800' }, { width: 800, height: 600 }, { kind: 'kept', reason: 'same-size' }],
  ['requested in another format', { format: 'png' }, { width: 800, height: 600 }, { kind: 'resize', format: 'png' }],
  ['requested in its own format', { format: 'jpeg' }, { width: 800, height: 600 }, { kind: 'kept', format: 'jpeg' }],
  ['requested in a chosen quality', { quality: 60 }, { width: 800, height: 600 }, { kind: 'resize' }],
  [
    'requested smaller',
    { width: '799' },
    { width: 800, height: 600 },
    { kind: 'resize', size: { width: 799, height: 599 } },
  ],
  [
    'requested on a larger canvas',
    { height: '1920', keepProportions: false, otherShape: 'pad' },
    { width: 800, height: 600 },
    { kind: 'resize', size: { width: 1920, height: 1920 } },
  ],
] as const)('the original bytes are kept only if nothing changes: an image %s', (_, changes, size, plan) => {
  const small = { ...picture, ...size, orientation: 1 };
  expect(planFor(recipeFor(changes), small)).toMatchObject(plan);
});

test('a lossless picture is kept with any quality in the form', () => {
  const small: Picture = { ...picture, format: 'png', width: 80, height: 60, orientation: 1 };
  expect(planFor(recipeFor({ quality: 60 }), small)).toMatchObject({ kind: 'kept' });
});

test.each([
  ['a quality only', { quality: 95 }, {}, { reason: 'smaller-original', rewriteMetadata: null }],
  [
    'a quality, and a location must go',
    { quality: 95 },
    { metadata: 'location' },
    { rewriteMetadata: 'keep-without-location' },
  ],
  ['the order of the data only', { coding: 'progressive' }, {}, { reason: 'smaller-original' }],
  ['a quality and a size', { quality: 95, width: '700' }, {}, undefined],
  ['a quality and a format', { quality: 95, format: 'webp' }, {}, undefined],
] as const)(
  'the original replaces a result that is not smaller if the recipe has %s',
  (_, changes, source, original) => {
    const plan = planFor(recipeFor(changes), { ...picture, width: 800, height: 600, orientation: 1, ...source });
    if (plan.kind !== 'resize') throw new Error(`the plan is ${plan.kind}`);
    if (original === undefined) expect(plan.original).toBeUndefined();
    else expect(plan.original).toMatchObject({ kind: 'kept', ...original });
  },
);

test.each([
  ['a photograph becomes JPEG', {}, 'jpeg'],
  ['transparency', { alpha: true }, 'png'],
  ['more than 8 bits', { depth: 16 }, 'png'],
  ['several frames', { frames: 2, sequence: 'animation' }, 'png'],
  ['a format of drawings, too', { format: 'qoi' }, 'png'],
] as const)('a source in a format that cannot be written: %s', (_, facts, format) => {
  expect(planFor(recipeFor({}), { ...picture, format: 'heic', ...facts })).toMatchObject({ kind: 'resize', format });
});

test.each([
  ['a picture', {}, 'avif'],
  ['an animation, which the encoder does not write', { frames: 2, sequence: 'animation' }, 'png'],
] as const)('a format that is written with one picture only: %s', (_, facts, format) => {
  const plan = planFor(recipeFor({}), { ...picture, format: 'avif', ...facts });
  expect(plan).toMatchObject({ kind: 'resize', format });
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  expect(plan.files.map((parts) => parts.length)).toEqual([{ frames: 1, ...facts }.frames]);
});

test('a plan reports a result that is longer than its format allows', () => {
  const recipe = recipeFor({ width: '70000', dontEnlarge: false });
  const size = { width: 70_000, height: 93_333 };
  expect(planFor(recipe, picture)).toEqual({ kind: 'too-long', format: 'jpeg', size, max: 65_535 });
  expect(planFor({ ...recipe, format: 'png' }, picture)).toEqual({ kind: 'huge', format: 'png', size });
});

test('a result of more than 1000 megapixels is refused only if the picture would grow to that size', () => {
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

test.each<[string, Partial<Picture>, string]>([
  ['with a profile', { icc: true }, 'resize'],
  ['of inks', { channels: 4 }, 'resize'],
  ['with transparency', { channels: 4, alpha: true }, 'kept'],
  ['without a profile', {}, 'kept'],
])('an image %s that is to be sRGB at its own size', (_what, changes, kind) => {
  const image = { ...picture, width: 800, height: 600, orientation: 1, ...changes };
  expect(planFor(recipeFor({ profile: 'srgb' }), image).kind).toBe(kind);
  expect(planFor(recipeFor({ profile: 'srgb', quality: 100 }), image, 9000)).toHaveProperty('kind', 'resize');
  expect(planFor(recipeFor({}), image).kind).toBe('kept');
});

test('a job contains the plan, the settings of the recipe and the memory limit', () => {
  const recipe = recipeFor({ quality: 80 });
  const plan = planFor(recipe, picture);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  const crop = { x: 0, y: 0, width: 3000, height: 4000 };
  expect(jobsFor(recipe, plan, 1e6)).toEqual([
    {
      parts: [{ frame: 0, crop, target: { width: 1920, height: 2560 }, canvas: null }],
      kernel: 'lanczos3',
      ringing: 'kept',
      light: 'auto',
      decoding: 'exact',
      sharpen: 'off',
      profile: 'keep',
      output: { format: 'jpeg', quality: 80, background: [255, 255, 255], coding: 'baseline', subsampling: 'auto' },
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

/** An icon of three sizes, the largest first, as its reader lists them. */
const icon: Picture = {
  ...scan,
  format: 'ico',
  width: 64,
  height: 64,
  sequence: 'sizes',
  frameSizes: [64, 32, 16].map((side) => ({ width: side, height: side })),
};

/** Returns the pictures of each output file: frame, width and height. */
function filesOf(changes: Partial<typeof DEFAULT_FORM>, source: Picture): string[][] | string {
  const plan = planFor(recipeFor(changes), source);
  if (plan.kind !== 'resize') return plan.kind;
  const words = ({ frame, target, canvas }: Part) => {
    const { width, height } = canvas?.size ?? target;
    return `${frame}: ${width}x${height}`;
  };
  return plan.files.map((parts) => parts.map(words));
}

test('each page has its own size; a format without pages gets one file per page', () => {
  const pages = ['0: 500x250', '1: 500x2000', '2: 300x300'];
  expect(filesOf({ width: '500' }, scan)).toEqual([pages]);
  expect(filesOf({ width: '500', format: 'png' }, scan)).toEqual(pages.map((page) => [page]));
  expect(filesOf({ width: '500', format: 'png', pages: 'first' }, scan)).toEqual([['0: 500x250']]);
});

test('a file with pages is kept only if no page changes', () => {
  const alike = { ...scan, frameSizes: [] };
  expect(filesOf({ width: '500' }, alike)).toEqual([['0: 500x250', '1: 500x250', '2: 500x250']]);
  expect(filesOf({ width: '2000' }, alike)).toBe('kept');
  expect(filesOf({ width: '2000' }, scan)).toBe('kept');
  expect(filesOf({ width: '1500' }, scan)).toEqual([['0: 1500x750', '1: 1000x4000', '2: 300x300']]);
  expect(filesOf({ width: '2000', pages: 'first' }, scan)).toEqual([['0: 2000x1000']]);
});

test('a format without animation gets the first frame only', () => {
  const animation: Picture = { ...picture, format: 'png', orientation: 1, frames: 3, sequence: 'animation' };
  expect(filesOf({ width: '400' }, animation)).toEqual([['0: 400x300', '1: 400x300', '2: 400x300']]);
  expect(filesOf({ width: '400', format: 'jpeg' }, animation)).toEqual([['0: 400x300']]);
});

test('an animation stays one in every format that holds animations, unless only its first frame is wanted', () => {
  const animation: Picture = { ...picture, format: 'webp', orientation: 1, frames: 2, sequence: 'animation' };
  const frames = ['0: 400x300', '1: 400x300'];
  for (const format of ['same', 'gif', 'png'] as const) {
    expect(filesOf({ width: '400', format }, animation), format).toEqual([frames]);
    expect(filesOf({ width: '400', format, frames: 'first' }, animation), format).toEqual([frames.slice(0, 1)]);
  }
  const own = { width: String(animation.width) };
  expect(filesOf(own, { ...animation, format: 'gif' })).toBe('kept');
  expect(filesOf({ ...own, frames: 'first' }, { ...animation, format: 'gif' })).toHaveLength(1);
  expect(filesOf({ ...own, frames: 'first' }, { ...animation, format: 'gif', frames: 1 })).toBe('kept');
});

test('an icon has the usual sizes up to the requested one, each made from the entry of that size', () => {
  const usual = [16, 24, 32, 48, 64, 128, 256].map((side) => `0: ${side}x${side}`);
  expect(filesOf({ format: 'ico' }, picture)).toEqual([usual]);
  expect(filesOf({ format: 'ico', width: '48' }, { ...picture, orientation: 1 })).toEqual([usual.slice(0, 4)]);
  expect(filesOf({ width: '32' }, icon)).toEqual([['2: 16x16', '0: 24x24', '1: 32x32']]);
  expect(filesOf({ width: '64' }, icon)).toBe('kept');
  expect(filesOf({ width: '64', format: 'png' }, icon)).toEqual([['0: 64x64']]);
});

test('an icon has the chosen sizes that need no enlarging; the typed width is ignored', () => {
  expect(filesOf({ format: 'ico', iconSizes: [48, 16], width: '20' }, picture)).toEqual([['0: 16x16', '0: 48x48']]);
  const small: Picture = { ...picture, format: 'png', width: 60, height: 20, orientation: 1 };
  expect(filesOf({ format: 'ico', iconSizes: [32, 64, 256] }, small)).toEqual([['0: 32x32']]);
  expect(filesOf({ format: 'ico', iconSizes: [64, 256] }, small)).toEqual([['0: 64x64']]);
  const grown = [['0: 64x64', '0: 256x256']];
  expect(filesOf({ format: 'ico', iconSizes: [64, 256], dontEnlarge: false }, small)).toEqual(grown);
  // Each size is made from the entry of that size; an icon that has exactly the chosen sizes is kept.
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
] as const)('the choice %s in an icon of 64, 32 and 16 px selects the entries %j', (entries, frames) => {
  const files = filesOf({ entries, format: 'png' }, icon);
  expect(files).toEqual(frames.map((frame) => [`${frame}: ${[64, 32, 16][frame]}x${[64, 32, 16][frame]}`]));
});

test('each chosen entry or page becomes an icon of its own', () => {
  expect(filesOf({ entries: 32 }, icon)).toEqual([['1: 16x16', '1: 24x24', '1: 32x32']]);
  const all = [['0: 16x16', '0: 32x32'], ['1: 16x16', '1: 32x32'], ['2: 16x16']];
  expect(filesOf({ entries: 'all', iconSizes: [16, 32] }, icon)).toEqual(all);
  const eachPage = [['0: 16x16'], ['1: 16x16'], ['2: 16x16']];
  expect(filesOf({ mode: 'longest', longest: '16', format: 'ico' }, scan)).toEqual(eachPage);
});

test('the size of a plan is the size of its first picture', () => {
  expect(planFor(recipeFor({ entries: 32, format: 'png' }), icon)).toMatchObject({ size: { width: 32, height: 32 } });
  expect(planFor(recipeFor({ entries: 32 }), icon)).toMatchObject({ size: { width: 32, height: 32 } });
});

test.each([
  ['largest', 'png', 64],
  [32, 'png', 32],
  [32, 'ico', 32],
  ['all', 'png', 64],
  ['largest', 'ico', 64],
] as const)('from an icon of 64, 32 and 16 px, %s as %s is made from %j px', (entries, format, side) => {
  const plan = planFor(recipeFor({ entries, format }), icon);
  expect(sourceSize(icon, plan)).toEqual({ width: side, height: side });
});

test('the source size of a rotated photograph is its upright size, with and without a plan', () => {
  const turned = { ...picture, width: 400, height: 300, orientation: 6 };
  expect(sourceSize(turned, planFor(recipeFor({ width: '100' }), turned))).toEqual({ width: 300, height: 400 });
  expect(sourceSize(turned, null)).toEqual({ width: 300, height: 400 });
});

test('a TIFF is written again for another compression; other formats are kept', () => {
  const settings = { width: '2000', compression: 'none' } as const;
  expect(filesOf(settings, { ...scan, frameSizes: [] })).not.toBe('kept');
  expect(filesOf({ ...settings, effort: 'smallest' }, { ...scan, format: 'png', frames: 1, sequence: 'single' })).toBe(
    'kept',
  );
});

test('a JPEG is written again to become progressive', () => {
  const settings = { width: '2000', coding: 'progressive' } as const;
  expect(filesOf(settings, { ...scan, format: 'jpeg', frames: 1, sequence: 'single' })).not.toBe('kept');
});

test.each([
  ['png', { effort: 'smallest', palette: 'exact' }],
  ['tiff', { compression: 'deflate' }],
  ['jpeg', { quality: 40, background: [255, 255, 255], coding: 'smallest', subsampling: 'auto' }],
  ['bmp', {}],
  ['ico', {}],
  ['gif', { colors: 64 }],
] as const)('the job for %s contains the options of its format only', (format, part) => {
  const recipe = recipeFor({
    format,
    width: '500',
    coding: 'smallest',
    effort: 'smallest',
    palette: 'exact',
    compression: 'deflate',
    quality: 40,
    colors: '64',
  });
  const plan = planFor(recipe, picture);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  expect(jobsFor(recipe, plan, 0)[0]?.output).toEqual({ format, ...part });
});

test.each([
  ['none', 'remove', 'jpeg', { kind: 'kept', rewriteMetadata: null }],
  ['details', 'keep-without-location', 'jpeg', { kind: 'kept', rewriteMetadata: null }],
  ['details', 'remove', 'jpeg', { kind: 'kept', rewriteMetadata: 'remove' }],
  ['location', 'keep-without-location', 'png', { kind: 'kept', rewriteMetadata: 'keep-without-location' }],
  ['location', 'keep', 'jpeg', { kind: 'kept', rewriteMetadata: null }],
  ['details', 'remove', 'gif', { kind: 'kept', rewriteMetadata: 'remove' }],
  // TIFF pixels are lossless, so the file can be written again.
  ['location', 'keep-without-location', 'tiff', { kind: 'resize' }],
] as const)(
  'an original with metadata "%s", policy "%s", format %s: it is kept, rewritten or resized',
  (found, policy, format, plan) => {
    const small: Picture = { ...picture, format, width: 80, height: 60, orientation: 1, metadata: found };
    expect(planFor(recipeFor({ metadata: policy }), small)).toMatchObject(plan);
  },
);

test.each([
  ['with another size', {}, 'svg'],
  ['stretched', { height: '400', keepProportions: false, otherShape: 'stretch' }, 'svg'],
  ['cropped', { height: '100', keepProportions: false, otherShape: 'cover' }, 'png'],
  ['with a border', { height: '400', keepProportions: false, otherShape: 'pad' }, 'png'],
  ['in a chosen format', { format: 'bmp' }, 'bmp'],
] as const)('a drawing stays a drawing unless its pixels are needed: %s', (_, changes, format) => {
  const drawing = { ...picture, format: 'svg', width: 400, height: 300, orientation: 1 } as const;
  const recipe = recipeFor({ width: '200', ...changes, dontEnlarge: false });
  expect(planFor(recipe, drawing)).toMatchObject({ kind: 'resize', format });
});

test('"don’t enlarge" does not apply to drawings, which lose nothing', () => {
  const drawing = { ...picture, format: 'svg', width: 40, height: 30, orientation: 1 } as const;
  const recipe = recipeFor({ width: '200', format: 'png', dontEnlarge: true });
  expect(planFor(recipe, drawing)).toMatchObject({ kind: 'resize', size: { width: 200, height: 150 } });
});

describe('a turn', () => {
  const stored = { ...picture, width: 640, height: 480, orientation: 1 };
  test.each<[string, Parameters<typeof recipeFor>[0], Partial<Picture>, TurnedCopy | undefined]>([
    ['of a JPEG', {}, {}, { policy: 'keep-without-location', turn: 6 }],
    ['of a stored JPEG that is shown turned', {}, { orientation: 6 }, { policy: 'keep-without-location', turn: 6 }],
    ['with a density', { density: '300' }, {}, { policy: 'keep-without-location', turn: 6, density: 300 }],
    ['with a size that is not that of the turned JPEG', { width: '320' }, {}, undefined],
    ['with the size of the turned JPEG', { width: '480' }, {}, { policy: 'keep-without-location', turn: 6 }],
    ['with a quality', { quality: 60 }, {}, undefined],
    ['with another format', { format: 'png' }, {}, undefined],
    ['of a PNG, whose pixels can be turned', {}, { format: 'png' }, undefined],
  ])('%s copies without loss if nothing else changes', (_, changes, facts, turnedCopy) => {
    const plan = planFor({ ...recipeFor(changes), turn: 6 }, { ...stored, ...facts });
    expect(plan).toMatchObject({ kind: 'resize' });
    expect('turnedCopy' in plan ? plan.turnedCopy : undefined).toEqual(turnedCopy);
  });

  test('of a JPEG that gets several sizes is encoded for each', () => {
    const plan = planFor({ ...recipeFor({ mode: 'widths', widths: '480, 240' }), turn: 6 }, stored);
    expect(plan).toMatchObject({ kind: 'resize', files: [[{ turn: 6 }], [{ turn: 6 }]] });
    expect(plan).not.toHaveProperty('turnedCopy');
  });

  test('of a JPEG above the limit of its size is encoded anew', () => {
    const recipe = { ...recipeFor({ fileLimit: '100' }), turn: 6 } as const;
    expect(planFor(recipe, stored, 90_000)).toHaveProperty('turnedCopy');
    expect(planFor(recipe, stored, 900_000)).not.toHaveProperty('turnedCopy');
  });
});

describe('a density', () => {
  const small = { width: 100, height: 80, orientation: 1 };
  test.each([
    ['jpeg', { kind: 'kept', rewriteMetadata: null, density: 300 }],
    ['png', { kind: 'kept', rewriteMetadata: null, density: 300 }],
    // Their metadata cannot be rewritten, and nothing is lost when their pixels are written again.
    ['tiff', { kind: 'resize' }],
    ['bmp', { kind: 'resize' }],
  ] as const)('is stated by an image that keeps its pixels: %s', (format, expected) => {
    expect(planFor(recipeFor({ density: '300' }), { ...picture, ...small, format })).toMatchObject(expected);
  });

  test('does not change a file that cannot state it', () => {
    const plan = planFor(recipeFor({ density: '300' }), { ...picture, ...small, format: 'gif' });
    expect(plan).toMatchObject({ kind: 'kept', rewriteMetadata: null });
    expect(plan).not.toHaveProperty('density');
  });
});
