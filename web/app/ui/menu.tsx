// A menu: a button and a list of entries that it opens. menu-keys.ts handles keys, ../float.ts the position. The open list
// has the focus, and `aria-activedescendant` names its active entry.

import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useReducer,
  useRef,
} from 'react';
import styles from './menu.module.css';
import {
  buttonAction,
  CLOSED,
  type MenuAction,
  type MenuEntry,
  type MenuState,
  menuAction,
  menuReducer,
  SEARCH_RESET_MS,
} from './menu-keys.ts';

/** The properties that make an element an entry of a menu. */
export interface EntryProps {
  readonly id: string;
  readonly role: 'menuitem';
  readonly tabIndex: -1;
  readonly className: string | undefined;
  readonly 'data-active': true | undefined;
  readonly onPointerMove: () => void;
  readonly onPointerLeave: () => void;
}

interface MenuProps<E extends MenuEntry> {
  readonly entries: readonly E[];
  /** Renders an entry. `close` closes the menu and returns the focus to the button. */
  readonly children: (entry: E, props: EntryProps, close: () => void) => ReactElement;
  /** The look and the name of the button. */
  readonly button: ComponentProps<'button'>;
}

export function Menu<E extends MenuEntry>({ entries, children, button: looks }: MenuProps<E>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [state, dispatch] = useReducer(menuReducer(entries), CLOSED);
  const isOff = looks['aria-disabled'] === true;
  useSearchReset(state, dispatch);

  function openByKey(event: KeyboardEvent) {
    const action = buttonAction(event.key);
    if (action === null || isOff) return;
    event.preventDefault();
    dispatch(action);
  }

  function close() {
    dispatch({ do: 'close' });
    button.current?.focus({ preventScroll: true });
  }

  const entryProps = (index: number): EntryProps => ({
    id: `${id}${index}`,
    role: 'menuitem',
    tabIndex: -1,
    className: styles.entry,
    'data-active': index === state.active || undefined,
    onPointerMove: () => dispatch({ do: 'point', at: index }),
    onPointerLeave: () => dispatch({ do: 'point', at: null }),
  });

  return (
    <div className={styles.place}>
      <button
        {...looks}
        ref={button}
        type="button"
        id={`${id}button`}
        aria-haspopup="menu"
        aria-expanded={state.open}
        aria-controls={state.open ? `${id}menu` : undefined}
        onClick={() => (state.open ? close() : isOff || dispatch({ do: 'open', at: 'none' }))}
        onKeyDown={openByKey}
      />
      {state.open ? (
        <List id={id} button={button} state={state} dispatch={dispatch} close={close}>
          {entries.map((entry, index) => children(entry, entryProps(index), close))}
        </List>
      ) : null}
    </div>
  );
}

/** Clears the search text a moment after the last letter. */
function useSearchReset({ search }: MenuState, dispatch: (action: MenuAction) => void) {
  useEffect(() => {
    if (search === '') return;
    const timer = setTimeout(() => dispatch({ do: 'forget' }), SEARCH_RESET_MS);
    return () => clearTimeout(timer);
  }, [search, dispatch]);
}

interface ListProps {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly state: MenuState;
  readonly dispatch: (action: MenuAction) => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

function List({ id, button, state, dispatch, close, children }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useFloatingList(button, list);
  useOutsideClick(button, list, () => dispatch({ do: 'close' }));
  useEffect(() => list.current?.focus({ preventScroll: true }), []);

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = menuAction(event.key, state);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (action === 'hold') return;
    if (action === 'activate') {
      const entry = state.active === null ? null : document.getElementById(`${id}${state.active}`);
      close();
      entry?.click();
    } else if (action.do === 'close') close();
    else dispatch(action);
  }

  return (
    <div
      ref={list}
      id={`${id}menu`}
      className={styles.menu}
      role="menu"
      tabIndex={-1}
      aria-labelledby={`${id}button`}
      aria-activedescendant={state.active === null ? undefined : `${id}${state.active}`}
      onKeyDown={handleKey}
    >
      {children}
    </div>
  );
}

function useFloatingList(button: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    let end: (() => void) | null | undefined;
    import('../float.ts')
      .then(({ float }) => {
        if (end === null || button.current === null || list.current === null) return;
        end = float(button.current, list.current);
      })
      .catch(() => undefined); // the position from the style sheet is sufficient
    return () => {
      end?.();
      end = null;
    };
  }, [button, list]);
}

function useOutsideClick(
  button: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  close: () => void,
) {
  useEffect(() => {
    const check = ({ target }: Event) => {
      const inside = [button, list].some(({ current }) => current?.contains(target as globalThis.Node));
      if (!inside) close();
    };
    document.addEventListener('pointerdown', check);
    return () => document.removeEventListener('pointerdown', check);
  });
}
