import { describe, expect, test } from 'vitest';
import {
  changedPart,
  contains,
  defaultsOf,
  formOf,
  formOfHash,
  hashOf,
  MAX_PRESETS,
  PRESET_NAMES,
  PRESETS,
  restorePresets,
  withPreset,
} from './presets.ts';
import { DEFAULT_FORM, type RecipeForm, restoreForm } from './settings.ts';

const CHANGED: RecipeForm = {
  ...DEFAULT_FORM,
  width: '50%',
  format: 'webp',
  quality: 70,
  background: [1, 2, 3],
  dontEnlarge: false,
  fileNames: '{name} ä&#=%',
};

describe('the address with settings', () => {
  test.each([['default', DEFAULT_FORM] as const, ['changed', CHANGED] as const])('%s settings come back', (_, form) => {
    expect(formOfHash(hashOf(form))).toEqual(form);
  });

  test('only what differs from the default settings is in it', () => {
    expect(decodeURIComponent(hashOf({ ...DEFAULT_FORM, width: '800' }))).toBe('#settings={"width":"800"}');
  });

  test.each(['', '%', '{', '"text"', '[]', '1', 'null', '%7B%22width%22%3A'])('damaged: %s', (text) => {
    expect(formOfHash(`#settings=${text}`)).toBeNull();
  });

  test.each([
    ['an unknown setting', '{"shape":"round"}', DEFAULT_FORM],
    ['an invalid value', '{"width":5,"format":"gif2"}', DEFAULT_FORM],
    ['some valid values', '{"width":"640","quality":1000}', { ...DEFAULT_FORM, width: '640' }],
  ])('%s: the rest has its default value', (_, json, form) => {
    expect(formOfHash(`#settings=${encodeURIComponent(json)}`)).toEqual(form);
  });
});

describe('presets', () => {
  test.each(PRESET_NAMES)('%s has valid settings and leaves the others', (name) => {
    const form: RecipeForm = { ...CHANGED, ...PRESETS[name] };
    expect(restoreForm(form)).toEqual(form);
    const other: RecipeForm = { ...form, mode: 'sides', width: '3', fileLimit: '3' };
    expect([contains(form, PRESETS[name]), contains(other, PRESETS[name])]).toEqual([true, false]);
  });

  test.each(PRESET_NAMES)('%s is taken back to the default values of its own settings', (name) => {
    const taken = changedPart({ ...DEFAULT_FORM, ...PRESETS[name], ...defaultsOf(PRESETS[name]), quality: 70 });
    expect(taken).toEqual({ quality: 70 });
  });

  test('an own preset keeps every setting', () => {
    expect(formOf(changedPart(CHANGED))).toEqual(CHANGED);
  });

  test('a preset of the same name is replaced; the oldest ones leave a full list', () => {
    const preset = (name: string) => ({ name, part: {} });
    expect(withPreset([preset('a'), preset('b')], { name: 'a', part: { width: '5' } })).toEqual([
      preset('b'),
      { name: 'a', part: { width: '5' } },
    ]);
    const many = Array.from({ length: MAX_PRESETS }, (_, n) => preset(String(n)));
    expect(withPreset(many, preset('new')).map(({ name }) => name)).toEqual([
      ...many.slice(1).map(({ name }) => name),
      'new',
    ]);
  });

  test.each([null, 5, {}, [null], [{}], [{ name: '' }], [{ name: 'x'.repeat(41) }]])('stored %j: none', (stored) => {
    expect(restorePresets(stored)).toEqual([]);
  });

  test('stored presets lose what is invalid in them', () => {
    expect(restorePresets([{ name: 'a', part: { width: '7', format: 'none' } }, 'b', { name: 'c' }])).toEqual([
      { name: 'a', part: { width: '7' } },
      { name: 'c', part: {} },
    ]);
  });
});
