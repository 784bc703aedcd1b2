import { describe, expect, it } from 'vitest';
import { DEFAULT_FORM, isCardDefault, isDefault, type RecipeForm, restoreForm, SETTINGS } from './settings.ts';

/** For each setting: a value that is not the default. */
const CHANGED: Partial<RecipeForm> = {
  mode: 'percent',
  width: '800',
  height: '600',
  percent: '25',
  longest: '1000',
  shortest: '700',
  megapixels: '3',
  widths: '100 200',
  keepProportions: false,
  otherShape: 'pad',
  focus: 'top-left',
  borderColor: [1, 2, 3],
  transparentBorder: true,
  dontEnlarge: false,
  format: 'png',
  quality: 70,
  background: [0, 128, 255],
  frames: 'first',
  pages: 'first',
  entries: 48,
  metadata: 'remove',
  kernel: 'mitchell',
  ringing: 'limited',
  light: 'linear',
  decoding: 'fast',
  sharpen: 'mild',
  profile: 'srgb',
  lossless: 'yes',
  coding: 'progressive',
  subsampling: 'full',
  turn: 6,
  fileLimit: '200 KB',
  density: '300',
  unit: 'cm',
  effort: 'smallest',
  palette: 'exact',
  compression: 'none',
  colors: '64',
  iconSizes: [16, 32],
  fileNames: '{n} {name}',
};

describe('the table of settings', () => {
  it('restores a stored value of every setting', () => {
    expect(Object.keys(CHANGED).sort()).toEqual(Object.keys(SETTINGS).sort());
    expect(restoreForm(JSON.parse(JSON.stringify(CHANGED)))).toEqual({ ...DEFAULT_FORM, ...CHANGED });
  });

  it('detects settings and cards that have their defaults', () => {
    expect(isDefault({ iconSizes: [] }, 'iconSizes')).toBe(true);
    expect(isDefault({ iconSizes: [16] }, 'iconSizes')).toBe(false);
    expect(isCardDefault({ ...DEFAULT_FORM, kernel: 'box' }, 'advanced')).toBe(false);
    expect(isCardDefault({ ...DEFAULT_FORM, width: '1' }, 'advanced')).toBe(true);
  });
});

describe('restoring a stored form', () => {
  it.each(['0% 100%', '12.5% 50%', 'top-left'])('keeps the focus "%s"', (focus) => {
    expect(restoreForm({ focus }).focus).toBe(focus);
  });

  it.each(['101% 0%', '-1% 0%', '5% 5% 5%', '1.25% 0%', '5%', 50, 'middle'])('replaces the focus "%s"', (focus) => {
    expect(restoreForm({ focus }).focus).toBe('center');
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a word', 'width'],
    ['a list', [1, 2]],
    ['unknown values', { mode: 'volume', width: 7, format: 'heic', quality: 101, keepProportions: 'yes' }],
  ])('%s gives the defaults', (_what, kept) => {
    expect(restoreForm(kept)).toEqual(DEFAULT_FORM);
  });

  it('keeps the values of known settings', () => {
    expect(restoreForm({ width: '800', quality: 70, keepProportions: false, gone: true })).toEqual({
      ...DEFAULT_FORM,
      width: '800',
      quality: 70,
      keepProportions: false,
    });
    const advanced = { effort: 'smallest', compression: 'none', kernel: 'mitchell', light: 'linear' } as const;
    expect(restoreForm(advanced)).toEqual({ ...DEFAULT_FORM, ...advanced });
  });

  it.each([
    ['all', 'all'],
    [48, 48],
    [0, 'largest'],
    [1.5, 'largest'],
    ['some', 'largest'],
  ])('%j for the entries of icons gives %j', (entries, want) => {
    expect(restoreForm({ entries }).entries).toBe(want);
  });

  it.each([[[0, 0]], [[0, 0, 256]], [[0, 0, -1]], [[0, 0.5, 0]], [['0', 0, 0]], ['#000000'], [{}]])(
    '%j for the background gives white',
    (background) => {
      expect(restoreForm({ background }).background).toEqual([255, 255, 255]);
    },
  );

  it.each([
    [
      [32, 16, 16, 17, 'x'],
      [16, 32],
    ],
    ['16', []],
    [{}, []],
  ])('%j for the sizes of icons gives %j', (iconSizes, want) => {
    expect(restoreForm({ iconSizes }).iconSizes).toEqual(want);
  });
});
