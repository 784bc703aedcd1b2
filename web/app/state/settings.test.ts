import { describe, expect, it } from 'vitest';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { type SafeStorage, safeStorage } from './safe-storage.ts';
import { Settings } from './settings.ts';

/** Makes a storage whose entries can be inspected. */
function createStorage() {
  const items = new Map<string, string>();
  const storage: SafeStorage = {
    get: (key) => items.get(key) ?? null,
    set: (key, value) => items.set(key, value) !== undefined,
    remove: (key) => void items.delete(key),
  };
  return { ...storage, items };
}

const blocked = safeStorage(() => {
  throw new DOMException('blocked', 'SecurityError');
});

describe('the settings', () => {
  it('are restored at the next visit', () => {
    const storage = createStorage();
    const today = new Settings();
    today.remember(storage);
    today.change({ mode: 'percent', percent: '25', dontEnlarge: false, format: 'png' });
    const tomorrow = new Settings();
    tomorrow.remember(storage);
    expect(tomorrow.form.get()).toEqual(today.form.get());
  });

  it('that changed before the stored ones were read override these', () => {
    const storage = createStorage();
    const today = new Settings();
    today.remember(storage);
    today.change({ width: '800', format: 'png' });
    const tomorrow = new Settings();
    tomorrow.change({ width: '300' });
    tomorrow.remember(storage);
    expect(tomorrow.form.get()).toEqual({ ...DEFAULT_FORM, width: '300', format: 'png' });
  });

  it('have their defaults after a reset, also at the next visit', () => {
    const storage = createStorage();
    const settings = new Settings();
    settings.remember(storage);
    settings.change({ width: '800' });
    settings.reset();
    expect(settings.form.get()).toBe(DEFAULT_FORM);
    expect(storage.items.size).toBe(0);
  });

  it('count as default after a change was reverted', () => {
    const settings = new Settings();
    expect(settings.isDefault.get()).toBe(true);
    settings.change({ width: '800' });
    expect(settings.isDefault.get()).toBe(false);
    settings.change({ width: '1920' });
    expect(settings.isDefault.get()).toBe(true);
    settings.change({ mode: 'percent', percent: '25' });
    settings.change({ mode: 'sides' });
    expect(settings.isDefault.get()).toBe(true);
    settings.change({ width: 'x' });
    expect(settings.isDefault.get()).toBe(false);
  });

  it('have their defaults if the stored value is not valid JSON', () => {
    const storage = createStorage();
    storage.set('settings', '{');
    const settings = new Settings();
    settings.remember(storage);
    expect(settings.form.get()).toEqual(DEFAULT_FORM);
  });

  it('work if storage is blocked', () => {
    const settings = new Settings();
    settings.remember(blocked);
    settings.change({ width: '800' });
    expect(settings.form.get().width).toBe('800');
    settings.reset();
    expect(settings.form.get()).toBe(DEFAULT_FORM);
  });

  it('have no recipe while they are invalid, and keep the typed text', () => {
    const settings = new Settings();
    settings.change({ width: '12q' });
    expect(settings.recipe.get()).toBeNull();
    expect(settings.problems.get()).toMatchObject([{ code: 'not-a-whole-number', field: 'width' }]);
    expect(settings.form.get().width).toBe('12q');
  });

  it('return the same objects until a setting changes', () => {
    const settings = new Settings();
    expect(settings.recipe.get()).toBe(settings.recipe.get());
    expect(settings.problems.get()).toBe(settings.problems.get());
  });
});
