// The keyboard behaviour of a menu as a reducer: the active entry, the search by typing, opening and closing.
// menu.tsx renders it.

export interface MenuEntry {
  readonly text: string;
  readonly disabled: boolean;
}

export interface MenuState {
  readonly open: boolean;
  readonly active: number | null;
  /** The search text; it is cleared 350 ms after the last letter. */
  readonly search: string;
}

export type MenuAction =
  | { readonly do: 'open'; readonly at: 'first' | 'last' | 'none' }
  | { readonly do: 'close' }
  | { readonly do: 'move'; readonly to: 'first' | 'last' | 'next' | 'previous' }
  | { readonly do: 'point'; readonly at: number | null }
  | { readonly do: 'search'; readonly letter: string }
  | { readonly do: 'forget' };

export const SEARCH_RESET_MS = 350;
export const CLOSED: MenuState = { open: false, active: null, search: '' };

/** Returns the action for a key on the closed menu's button. */
export function buttonAction(key: string): MenuAction | null {
  switch (key) {
    case 'Enter':
    case ' ':
    case 'ArrowDown':
      return { do: 'open', at: 'first' };
    case 'ArrowUp':
      return { do: 'open', at: 'last' };
    default:
      return null;
  }
}

/**
 * Returns the action for a key in the open menu. `activate` follows the active entry; `hold` keeps the focus in the
 * menu.
 */
export function menuAction(key: string, { search }: MenuState): MenuAction | 'activate' | 'hold' | null {
  switch (key) {
    case 'ArrowDown':
      return { do: 'move', to: 'next' };
    case 'ArrowUp':
      return { do: 'move', to: 'previous' };
    case 'Home':
    case 'PageUp':
      return { do: 'move', to: 'first' };
    case 'End':
    case 'PageDown':
      return { do: 'move', to: 'last' };
    case 'Escape':
      return { do: 'close' };
    case 'Tab':
      return 'hold';
    case 'Enter':
      return 'activate';
    case ' ':
      return search === '' ? 'activate' : { do: 'search', letter: ' ' };
    default:
      return [...key].length === 1 ? { do: 'search', letter: key } : null;
  }
}

export function menuReducer(entries: readonly MenuEntry[]): (state: MenuState, action: MenuAction) => MenuState {
  const enabled = entries.flatMap(({ disabled }, index) => (disabled ? [] : [index]));
  const first = enabled[0] ?? null;
  const last = enabled.at(-1) ?? null;

  function moved(active: number | null, to: 'first' | 'last' | 'next' | 'previous'): number | null {
    switch (to) {
      case 'first':
        return first;
      case 'last':
        return last;
      case 'next':
        return enabled.find((index) => active === null || index > active) ?? first;
      case 'previous':
        return enabled.findLast((index) => active === null || index < active) ?? last;
    }
  }

  /** Returns the first match: during a search from the active entry on, for a new search from the entry after it. */
  function found({ active, search }: MenuState, wanted: string): number | null {
    const start = active === null ? 0 : active + (search === '' ? 1 : 0);
    const order = [...entries.keys()].map((step) => (start + step) % entries.length);
    return (
      order.find((index) => enabled.includes(index) && entries[index]?.text.toLowerCase().startsWith(wanted)) ?? active
    );
  }

  return (state, action) => {
    switch (action.do) {
      case 'open':
        return { open: true, search: '', active: action.at === 'none' ? null : action.at === 'first' ? first : last };
      case 'close':
        return CLOSED;
      case 'move':
        return { ...state, search: '', active: moved(state.active, action.to) };
      case 'point':
        return { ...state, active: action.at !== null && enabled.includes(action.at) ? action.at : null };
      case 'search': {
        const wanted = state.search + action.letter.toLowerCase();
        return { ...state, search: wanted, active: found(state, wanted) };
      }
      case 'forget':
        return { ...state, search: '' };
    }
  };
}
