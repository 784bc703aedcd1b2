import { describe, expect, it } from 'vitest';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { type SafeStorage, safeStorage } from './safe-storage.ts';
import { Settings } from './settings.ts';

/** A store whose entries can be looked at. */
function createDrawer() {
  const items = new Map<string, string>();
  const drawer: SafeStorage = {
    get: (key) => items.get(key) ?? null,
    set: (key, value) => items.set(key, value) !== undefined,
    remove: (key) => void items.delete(key),
  };
  return { ...drawer, items };
}

const blocked = safeStorage(() => {
  throw new DOMException('blocked', 'SecurityError');
});

describe('settings', () => {
  it('come back at the next visit', () => {
    const drawer = createDrawer();
    const today = new Settings();
    today.remember(drawer);
    today.change({ mode: 'percent', percent: '25', dontEnlarge: false, format: 'png' });
    const tomorrow = new Settings();
    tomorrow.remember(drawer);
    expect(tomorrow.form.get()).toEqual(today.form.get());
  });

  it('that were changed before the last visit was remembered win over it', () => {
    const drawer = createDrawer();
    const today = new Settings();
    today.remember(drawer);
    today.change({ width: '800', format: 'png' });
    const tomorrow = new Settings();
    tomorrow.change({ width: '300' });
    tomorrow.remember(drawer);
    expect(tomorrow.form.get()).toEqual({ ...DEFAULT_FORM, width: '300', format: 'png' });
  });

  it('are the defaults again after a reset, also at the next visit', () => {
    const drawer = createDrawer();
    const settings = new Settings();
    settings.remember(drawer);
    settings.change({ width: '800' });
    settings.reset();
    expect(settings.form.get()).toBe(DEFAULT_FORM);
    expect(drawer.items.size).toBe(0);
  });

  it('are the defaults once a change was undone, whatever was typed in between', () => {
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

  it('that are no longer valid JSON are the defaults', () => {
    const drawer = createDrawer();
    drawer.set('settings', '{');
    const settings = new Settings();
    settings.remember(drawer);
    expect(settings.form.get()).toEqual(DEFAULT_FORM);
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
