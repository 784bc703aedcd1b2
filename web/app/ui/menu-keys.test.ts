import { describe, expect, test } from 'vitest';
import { buttonAction, CLOSED, type MenuEntry, type MenuState, menuAction, menuReducer } from './menu-keys.ts';

const entry = (text: string, disabled = false): MenuEntry => ({ text, disabled });
const entries = [
  entry('English', true),
  entry('Esperanto'),
  entry('简体中文'),
  entry('Español', true),
  entry('Español de México'),
];

/** Presses keys one after another; `|` stands for a pause of 350 ms. */
function press(keys: readonly string[], start: MenuState = CLOSED): MenuState {
  const reduce = menuReducer(entries);
  return keys.reduce((state, key) => {
    if (key === '|') return reduce(state, { do: 'forget' });
    const action = state.open ? menuAction(key, state) : buttonAction(key);
    return action === null || action === 'hold' || action === 'activate' ? state : reduce(state, action);
  }, start);
}

describe('keyboard', () => {
  test.each<[string[], number | null]>([
    [['Enter'], 1],
    [[' '], 1],
    [['ArrowDown'], 1],
    [['ArrowUp'], 4],
    [['Enter', 'ArrowDown'], 2],
    [['Enter', 'ArrowDown', 'ArrowDown'], 4],
    [['Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown'], 1],
    [['Enter', 'ArrowUp'], 4],
    [['Enter', 'ArrowUp', 'ArrowUp'], 2],
    [['Enter', 'End'], 4],
    [['Enter', 'PageDown'], 4],
    [['ArrowUp', 'Home'], 1],
    [['ArrowUp', 'PageUp'], 1],
  ])('%j makes entry %d active: disabled entries are skipped, and the ends wrap', (keys, active) => {
    expect(press(keys)).toMatchObject({ open: true, active });
  });

  test('Escape closes the menu', () => {
    expect(press(['Enter', 'Escape'])).toEqual(CLOSED);
  });

  test('other keys do nothing on the closed button', () => {
    for (const key of ['a', 'Tab', 'Home', 'Escape']) expect(buttonAction(key)).toBeNull();
  });

  test('in the open menu Tab keeps the focus, and Enter and Space activate', () => {
    const open = press(['Enter']);
    expect(menuAction('Tab', open)).toBe('hold');
    expect(menuAction('Enter', open)).toBe('activate');
    expect(menuAction(' ', open)).toBe('activate');
    expect(menuAction('F5', open)).toBeNull();
  });

  test('pointing at a disabled entry leaves no entry active', () => {
    const reduce = menuReducer(entries);
    expect(reduce(press(['Enter']), { do: 'point', at: 2 }).active).toBe(2);
    expect(reduce(press(['Enter']), { do: 'point', at: 0 }).active).toBeNull();
  });
});

describe('type-ahead', () => {
  test.each<[string, string[], number | null]>([
    ['a prefix in any case', ['Enter', 'E', 'S', 'P', 'A'], 4],
    ['a new search starts after the active entry', ['Enter', 'e'], 4],
    ['while searching, the active entry still counts', ['ArrowUp', 'e', 's', 'p', 'e'], 1],
    ['a search continues at the start of the list', ['ArrowUp', 'e'], 1],
    ['a pause starts a new search', ['Enter', 'e', '|', 'e'], 1],
    ['letters of any script', ['Enter', '简'], 2],
    ['Space counts as a letter while searching', ['ArrowUp', ...'español de'], 4],
    ['no match keeps the active entry', ['Enter', 'x'], 1],
    ['disabled entries are skipped: e finds the last one, en none', ['Enter', 'e', 'n'], 4],
  ])('%s', (_, keys, active) => {
    expect(press(keys).active).toBe(active);
  });

  test('a move ends the search', () => {
    expect(press(['Enter', 'e', 'ArrowDown']).search).toBe('');
  });
});
