// The recipes and the problems that typed text gives.
import { describe, expect, test } from 'vitest';
import { readForm, withUnit } from './form.ts';
import { DEFAULT_FORM, type RecipeForm } from './settings.ts';

function sizeOf(changes: Partial<RecipeForm>): unknown {
  const reading = readForm({ ...DEFAULT_FORM, ...changes });
  return 'recipe' in reading ? reading.recipe.size : reading.problems;
}

const px = (value: number) => ({ unit: 'px', value });
const percent = (value: number) => ({ unit: 'percent', value });

test('the default form limits the width to 1920 pixels and does not enlarge', () => {
  expect(readForm(DEFAULT_FORM)).toEqual({
    recipe: {
      size: { by: 'box', width: px(1920), height: null, fit: 'contain' },
      enlarge: false,
      format: 'same',
      frames: 'all',
      pages: 'all',
      entries: 'largest',
      metadata: 'keep-without-location',
      quality: 'auto',
      iconSizes: [],
      coding: 'baseline',
      effort: 'default',
      palette: 'like-source',
      compression: 'lzw',
      colors: '256',
      kernel: 'lanczos3',
      ringing: 'kept',
      light: 'auto',
      decoding: 'exact',
      sharpen: 'off',
      profile: 'keep',
      lossless: 'no',
      background: [255, 255, 255],
      border: [255, 255, 255, 255],
      density: null,
      maxBytes: null,
      turn: 1,
      subsampling: 'auto',
    },
  });
});

describe('width and height', () => {
  test.each([
    ['800', '', px(800), null],
    ['', '600', null, px(600)],
    [' 800 ', '600px', px(800), px(600)],
    ['50%', '', percent(50), null],
    ['12.5 %', '12,5%', percent(12.5), percent(12.5)],
    ['８００', '５０％', px(800), percent(50)],
    ['1', '1000000', px(1), px(1_000_000)],
    ['800x600', '', px(800), px(600)],
    ['800 × 600', '9', px(800), px(600)],
    ['7', '800*600', px(800), px(600)],
    ['800px X 50%', '', px(800), percent(50)],
    ['0800', '', px(800), null],
    ['10cm', '', px(1181), null],
    ['', '4 in', null, px(1200)],
    ['25.4 mm', '1"', px(300), px(300)],
    ['10x15cm', '', px(1181), px(1772)],
    ['10 厘米', '４英吋', px(1181), px(1200)],
    ['50%', '2,54公分', percent(50), px(300)],
  ])('%j and %j', (width, height, wantWidth, wantHeight) => {
    // 1 × 1 000 000 has a long side but few pixels, so it is accepted.
    expect(sizeOf({ width, height })).toEqual({ by: 'box', width: wantWidth, height: wantHeight, fit: 'contain' });
  });

  test.each([
    '0',
    '-5',
    '1.5',
    '0.001mm',
    '5km',
    'cm',

    '1e3',
    'abc',
    '1000001',
    '99999999999999999999',
    '1,920',
    '0x10',
    '+5',
    '∞',
    '½',
  ])('the width %j is rejected', (width) => {
    const max = width.includes('x') ? expect.anything() : 1_000_000;
    expect(sizeOf({ width })).toEqual([{ code: 'not-a-whole-number', field: 'width', max }]);
  });

  test.each(['0%', '401%', '0.5%', '%', '-5%', '5%%', 'a%'])('the percentage %j is rejected', (width) => {
    expect(sizeOf({ width })).toEqual([{ code: 'not-a-percentage', field: 'width', max: 400 }]);
  });

  test('an empty width and an empty height are one problem', () => {
    expect(sizeOf({ width: ' ', height: '' })).toEqual([{ code: 'size-missing', field: 'width' }]);
  });

  test('each invalid field has a problem of its own', () => {
    expect(sizeOf({ width: 'a', height: '500%' })).toEqual([
      { code: 'not-a-whole-number', field: 'width', max: 1_000_000 },
      { code: 'not-a-percentage', field: 'height', max: 400 },
    ]);
  });

  test('a size of more than 1000 megapixels is a problem', () => {
    expect(sizeOf({ width: '192000', height: '108000' })).toEqual([
      { code: 'huge', field: 'width', width: 192_000, height: 108_000, megapixels: 20_736 },
    ]);
  });
});

test.each([
  [true, 'cover', 'contain'],
  [false, 'cover', 'cover'],
  [false, 'stretch', 'stretch'],
  [false, 'pad', 'pad'],
] as const)('keep proportions %j, else %j: %j', (keepProportions, otherShape, fit) => {
  expect(sizeOf({ keepProportions, otherShape })).toMatchObject({ fit });
});

test.each([
  ['50', 50],
  ['50%', 50],
  ['33,3', 33.3],
  ['1', 1],
  ['400', 400],
])('percent %j', (text, value) => {
  expect(sizeOf({ mode: 'percent', percent: text })).toEqual({ by: 'percent', percent: value });
});

test.each(['', '0', '400.1', 'x'])('percent %j is rejected', (text) => {
  expect(sizeOf({ mode: 'percent', percent: text })).toEqual([
    { code: 'not-a-percentage', field: 'percent', max: 400 },
  ]);
});

test('the longest side is a number of pixels', () => {
  expect(sizeOf({ mode: 'longest', longest: '1200' })).toEqual({ by: 'longest', side: 1200 });
  expect(sizeOf({ mode: 'longest', longest: '' })).toEqual([
    { code: 'not-a-whole-number', field: 'longest', max: 1_000_000 },
  ]);
});

test('the fields of other size modes are ignored', () => {
  expect(sizeOf({ mode: 'percent', width: 'nonsense' })).toEqual({ by: 'percent', percent: 50 });
});

test('a crop has a focus, and borders have a colour or are transparent', () => {
  const box = { ...DEFAULT_FORM, width: '8', height: '6', keepProportions: false, focus: 'top' } as const;
  expect(readForm(box)).toMatchObject({ recipe: { size: { fit: 'cover', focus: 'top' } } });
  const pad = { ...box, otherShape: 'pad' } as const;
  expect(readForm({ ...pad, borderColor: [1, 2, 3] })).toMatchObject({ recipe: { border: [1, 2, 3, 255] } });
  expect(readForm({ ...pad, borderColor: [1, 2, 3], transparentBorder: true })).toMatchObject({
    recipe: { border: [0, 0, 0, 0] },
  });
});

describe('several widths', () => {
  test.each([
    ['480, 960, 1920', [1920, 960, 480]],
    ['480 960;1920px', [1920, 960, 480]],
    ['９６０、４８０，960', [960, 480]],
    ['100', [100]],
  ])('%j', (widths, expected) => {
    expect(sizeOf({ mode: 'widths', widths })).toEqual({ by: 'widths', widths: expected });
  });

  test.each(['', ' , ', '0', '480, x', '480-960', '50%', '1 2 3 4 5 6 7 8 9 10 11', '1000001'])('not %j', (widths) => {
    expect(sizeOf({ mode: 'widths', widths })).toEqual([
      { code: 'not-widths', field: 'widths', max: 1_000_000, most: 10 },
    ]);
  });
});

describe('megapixels', () => {
  test.each([
    ['2', 2],
    ['0,5', 0.5],
    [' 1.25 ', 1.25],
    ['1000', 1000],
  ])('%j', (megapixels, value) => {
    expect(sizeOf({ mode: 'megapixels', megapixels })).toEqual({ by: 'megapixels', megapixels: value });
  });

  test.each(['', '0', '-1', '1000.1', 'two', '2MP%'])('not %j', (megapixels) => {
    expect(sizeOf({ mode: 'megapixels', megapixels })).toEqual([
      { code: 'not-megapixels', field: 'megapixels', max: 1000 },
    ]);
  });
});

describe('the largest size of a file', () => {
  const limitOf = (fileLimit: string) => {
    const reading = readForm({ ...DEFAULT_FORM, fileLimit });
    return 'recipe' in reading ? reading.recipe.maxBytes : reading.problems;
  };

  test.each([
    ['', null],
    ['200', 204_800],
    ['200 KB', 204_800],
    ['1,5 MB', 1_572_864],
    ['１００ｋ', 102_400],
  ])('%j', (text, bytes) => {
    expect(limitOf(text)).toBe(bytes);
  });

  test.each(['0', '0.5', 'small', '-1', '2 GB', '1000001', '1.2.3'])('not %j', (text) => {
    expect(limitOf(text)).toEqual([{ code: 'not-a-file-size', field: 'fileLimit', max: 1_000_000 }]);
  });
});

describe('the density', () => {
  test.each([
    ['10cm', '', 1181, 300],
    ['10cm', '600', 2362, 600],
    ['10cm', '72 dpi', 283, 72],
    ['800', '', 800, null],
    ['800', '254', 800, 254],
    ['800', '１５０', 800, 150],
    ['800', '0.5', null, null],
    ['800', '9601', null, null],
    ['800', 'abc', null, null],
  ])('with the width %j and %j typed as DPI', (width, density, wantWidth, wantDensity) => {
    const reading = readForm({ ...DEFAULT_FORM, width, density });
    if (wantWidth === null) {
      expect(reading).toEqual({ problems: [{ code: 'not-a-density', field: 'density', max: 9600 }] });
    } else {
      expect(reading).toMatchObject({ recipe: { density: wantDensity, size: { width: px(wantWidth) } } });
    }
  });

  test('of a length in a field that is not in use means nothing', () => {
    const reading = readForm({ ...DEFAULT_FORM, mode: 'percent', width: '10cm', longest: '5in' });
    expect(reading).toMatchObject({ recipe: { density: null } });
    expect(readForm({ ...DEFAULT_FORM, mode: 'longest', longest: '5in' })).toMatchObject({
      recipe: { density: 300, size: { by: 'longest', side: 1500 } },
    });
  });
});

describe('the unit of lengths', () => {
  test.each([
    ['cm', '10', '', px(1181), null],
    ['mm', '100', '50%', px(1181), percent(50)],
    ['in', '4x6', '', px(1200), px(1800)],
    // A typed unit stays.
    ['cm', '4 in', '300px', px(1200), px(300)],
    ['px', '10', '10cm', px(10), px(1181)],
  ] as const)('in %s "%s" and "%s"', (unit, width, height, ...sides) => {
    expect(sizeOf({ unit, width, height })).toMatchObject({ width: sides[0], height: sides[1] });
  });

  test('is that of the density, which results state', () => {
    const reading = readForm({ ...DEFAULT_FORM, unit: 'in', width: '2', density: '72' });
    expect(reading).toMatchObject({ recipe: { size: { width: px(144) }, density: 72 } });
    expect(readForm({ ...DEFAULT_FORM, unit: 'in', width: '2' })).toMatchObject({ recipe: { density: 300 } });
    expect(readForm({ ...DEFAULT_FORM, unit: 'in', mode: 'percent' })).toMatchObject({ recipe: { density: null } });
  });

  test.each(['0', '-3', 'abc', '1.2.3'])('refuses "%s" cm', (width) => {
    expect(readForm({ ...DEFAULT_FORM, unit: 'cm', width })).toHaveProperty('problems');
  });

  test('is exchanged without another size', () => {
    const form = { ...DEFAULT_FORM, width: '1920', height: '50%', longest: '800 x 600', shortest: '4in' };
    const inches = withUnit(form, 'in');
    expect(inches).toMatchObject({ unit: 'in', width: '6.4', longest: '2.67x2' });
    expect(inches).not.toHaveProperty('height');
    expect(inches).not.toHaveProperty('shortest');
    for (const unit of ['cm', 'mm', 'in'] as const) {
      for (const density of ['', '72', '300', '600', 'bad']) {
        for (const width of ['1', '7', '640', '1920', '8000']) {
          const there = { ...DEFAULT_FORM, width, density, ...withUnit({ ...DEFAULT_FORM, width, density }, unit) };
          const back = Number({ ...there, ...withUnit(there, 'px') }.width);
          // Two decimals of an inch are 3 pixels at 600 per inch.
          expect(Math.abs(back - Number(width))).toBeLessThanOrEqual(3);
        }
      }
    }
  });
});
