// The browser functions that navigation needs; tests replace them.

export interface Browser {
  /** Returns the path, query and fragment of the address bar. */
  readonly href: () => string;
  /** Returns the id of the current history entry; empty if it has none yet. */
  readonly entry: () => string;
  readonly push: (href: string, entry: string) => void;
  readonly replace: (href: string, entry: string) => void;
  /** Leaves the document. */
  readonly leave: (href: string) => void;
  readonly reload: () => void;
  readonly scrollY: () => number;
}

export function browserOf(window: Window): Browser {
  const { history, location } = window;
  return {
    href: () => location.pathname + location.search + location.hash,
    entry: () => {
      const state: unknown = history.state;
      const named = typeof state === 'object' && state !== null && 'entry' in state;
      return named && typeof state.entry === 'string' ? state.entry : '';
    },
    push: (href, entry) => history.pushState({ entry }, '', href),
    replace: (href, entry) => history.replaceState({ entry }, '', href),
    leave: (href) => location.assign(href),
    reload: () => location.reload(),
    scrollY: () => window.scrollY,
  };
}
