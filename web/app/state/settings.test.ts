import { describe, expect, it } from 'vitest';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { Settings, type SettingsStorage } from './settings.ts';

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
