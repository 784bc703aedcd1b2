import { describe, expect, it } from 'vitest';
import { DEFAULT_FORM } from '../../domain/form.ts';
import { restoreForm, Settings, type SettingsStorage } from './settings.ts';

class Drawer implements SettingsStorage {
  readonly items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

const blocked: SettingsStorage = {
  getItem: () => {
    throw new DOMException('blocked', 'SecurityError');
  },
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
  removeItem: () => {
    throw new DOMException('blocked', 'SecurityError');
  },
};

describe('settings', () => {
  it('come back at the next visit', () => {
    const drawer = new Drawer();
    const today = new Settings();
    today.remember(drawer);
    today.change({ mode: 'percent', percent: '25', dontEnlarge: false, format: 'png' });
    const tomorrow = new Settings();
    tomorrow.remember(drawer);
    expect(tomorrow.form.get()).toEqual(today.form.get());
  });

  it('that were changed before the last visit was remembered win over it', () => {
    const drawer = new Drawer();
    const today = new Settings();
    today.remember(drawer);
    today.change({ width: '800', format: 'png' });
    const tomorrow = new Settings();
    tomorrow.change({ width: '300' });
    tomorrow.remember(drawer);
    expect(tomorrow.form.get()).toEqual({ ...DEFAULT_FORM, width: '300', format: 'png' });
  });

  it('are the defaults again after a reset, also at the next visit', () => {
    const drawer = new Drawer();
    const settings = new Settings();
    settings.remember(drawer);
    settings.change({ width: '800' });
    settings.reset();
    expect(settings.form.get()).toBe(DEFAULT_FORM);
    expect(drawer.items.size).toBe(0);
  });

  it('work where storage is blocked', () => {
    const settings = new Settings();
    settings.remember(blocked);
    settings.change({ width: '800' });
    expect(settings.form.get().width).toBe('800');
    settings.reset();
    expect(settings.form.get()).toBe(DEFAULT_FORM);
  });

  it('have no recipe while they make no sense, and keep what was typed', () => {
    const settings = new Settings();
    settings.change({ width: '12q' });
    expect(settings.recipe.get()).toBeNull();
    expect(settings.problems.get()).toMatchObject([{ code: 'not-a-whole-number', field: 'width' }]);
    expect(settings.form.get().width).toBe('12q');
  });

  it('answer with the same objects until something changes', () => {
    const settings = new Settings();
    expect(settings.recipe.get()).toBe(settings.recipe.get());
    expect(settings.problems.get()).toBe(settings.problems.get());
  });
});

describe('what was kept by another version', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a word', 'width'],
    ['a list', [1, 2]],
    ['unknown values', { mode: 'volume', width: 7, format: 'heic', quality: 101, keepProportions: 'yes' }],
  ])('%s becomes the defaults', (_what, kept) => {
    expect(restoreForm(kept)).toEqual(DEFAULT_FORM);
  });

  it('keeps the parts that are still known', () => {
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
  ])('of %j for the entries of icons is %j', (entries, want) => {
    expect(restoreForm({ entries }).entries).toBe(want);
  });

  it.each([
    [
      [32, 16, 16, 17, 'x'],
      [16, 32],
    ],
    ['16', []],
    [{}, []],
  ])('of %j for the sizes of icons is %j', (iconSizes, want) => {
    expect(restoreForm({ iconSizes }).iconSizes).toEqual(want);
  });
});
