// The summary of the settings in the bar of a phone.
import { describe, expect, it } from 'vitest';
import english from '../../../locales/en.json' with { type: 'json' };
import simplified from '../../../locales/zh-CN.json' with { type: 'json' };
import traditional from '../../../locales/zh-TW.json' with { type: 'json' };
import type { RecipeForm } from '../../domain/settings.ts';
import { createWords } from '../../i18n/index.ts';
import { recipeFor } from '../state/testing/recipes.ts';
import { summaryText } from './summary-text.ts';

const ENGLISH = createWords('en', english);

describe('the summary of the settings', () => {
  it.each<[Partial<RecipeForm>, string]>([
    [{}, '1920 px wide · same format'],
    [{ width: '', height: '600' }, '600 px high · same format'],
    [{ width: '800', height: '600' }, 'fits inside 800 × 600 px · same format'],
    [{ width: '800', height: '600', keepProportions: false }, '800 × 600 px · same format'],
    [{ width: '50%' }, '50% wide · same format'],
    [{ width: '50%', height: '600' }, 'fits inside 50% × 600 px · same format'],
    [{ mode: 'percent', percent: '25' }, '25% of the size · same format'],
    [{ mode: 'longest', longest: '1080' }, 'longest side 1080 px · same format'],
    [{ mode: 'shortest', shortest: '1080' }, 'shortest side 1080 px · same format'],
    [{ mode: 'megapixels', megapixels: '2.5' }, '2.5 megapixels · same format'],
    [{ mode: 'widths', widths: '960, 480' }, '480, 960 px wide · same format'],
    [{ mode: 'appIcons' }, 'App icon set'],
    [{ format: 'webp' }, '1920 px wide · WebP'],
  ])('%o: %s', (changes, text) => {
    expect(summaryText(recipeFor(changes), null, ENGLISH)).toBe(text);
  });

  it('counts the images that change, and those that do not', () => {
    const counts = { shrink: 41, grow: 0, recode: 1, keep: 8, smaller: 0 };
    expect(summaryText(recipeFor({}), counts, ENGLISH)).toBe(
      '1920 px wide · same format · 41 will shrink · 1 saved again at the same size · 8 not resized',
    );
  });

  it('says that a field cannot be used', () => {
    expect(summaryText(null, null, ENGLISH)).toBe('Check the settings');
  });

  it.each([
    ['zh-CN', simplified, '宽 1920 像素 · 格式不变 · 3 张将缩小'],
    ['zh-TW', traditional, '寬 1920 像素 · 格式不變 · 3 張將縮小'],
  ])('%s', (locale, messages, text) => {
    const counts = { shrink: 3, grow: 0, recode: 0, keep: 0, smaller: 0 };
    expect(summaryText(recipeFor({}), counts, createWords(locale, messages))).toBe(text);
  });
});
