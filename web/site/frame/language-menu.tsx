// The language menu: a button, and links to the home page in each language. menu.ts handles keys, float.ts the
// position. The open list has the focus, and `aria-activedescendant` names its active entry.

import { type KeyboardEvent, type RefObject, useEffect, useId, useReducer, useRef } from 'react';
import { hidden, hiddenWhenNarrow, Icon } from '../../app/ui/index.ts';
import { useWords } from '../../i18n/index.ts';
import { Link } from '../link.tsx';
import { LOCALE_NAMES, LOCALES, type Locale } from '../locales.ts';
import styles from './language-menu.module.css';
import {
  buttonAction,
  CLOSED,
  type MenuAction,
  type MenuState,
  menuAction,
  menuReducer,
  SEARCH_RESET_MS,
} from './menu.ts';

export function LanguageMenu({ locale }: { readonly locale: Locale }) {
  const { t } = useWords();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const entries = LOCALE_NAMES.map((name) => ({ text: LOCALES[name].label, disabled: name === locale }));
  const [state, dispatch] = useReducer(menuReducer(entries), CLOSED);
  useSearchReset(state, dispatch);

  function openByKey(event: KeyboardEvent) {
    const action = buttonAction(event.key);
    if (action === null) return;
    event.preventDefault();
    dispatch(action);
  }

  function close() {
    dispatch({ do: 'close' });
    button.current?.focus({ preventScroll: true });
  }

  return (
    <div className={styles.languages}>
      <button
        ref={button}
        type="button"
        id={`${id}button`}
        className={styles.button}
        aria-haspopup="menu"
        aria-expanded={state.open}
        aria-controls={state.open ? `${id}menu` : undefined}
        onClick={() => (state.open ? close() : dispatch({ do: 'open', at: 'none' }))}
        onKeyDown={openByKey}
      >
        <Icon name="globe" />
        <span className={hidden}>{t('language.label')}</span>
        <span className={hiddenWhenNarrow}>{LOCALES[locale].label}</span>
        <Icon name="chevron-down" />
      </button>
      {state.open ? (
        <Entries id={id} locale={locale} button={button} state={state} dispatch={dispatch} close={close} />
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

interface EntriesProps {
  readonly id: string;
  readonly locale: Locale;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly state: MenuState;
  readonly dispatch: (action: MenuAction) => void;
  /** Closes the menu and returns the focus to the button. */
  readonly close: () => void;
}

function Entries({ id, locale, button, state, dispatch, close }: EntriesProps) {
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
      {LOCALE_NAMES.map((name, index) => {
        const shared = {
          id: `${id}${index}`,
          role: 'menuitem',
          tabIndex: -1,
          lang: name,
          className: styles.entry,
          'data-active': index === state.active || undefined,
          onPointerMove: () => dispatch({ do: 'point', at: index }),
          onPointerLeave: () => dispatch({ do: 'point', at: null }),
        };
        const { label, path } = LOCALES[name];
        return name === locale ? (
          <span key={name} {...shared} aria-disabled="true">
            {label}
            <Icon name="check" />
          </span>
        ) : (
          <Link key={name} {...shared} to={path} hrefLang={name} onClick={close}>
            {label}
          </Link>
        );
      })}
    </div>
  );
}

function useFloatingList(button: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    let end: (() => void) | null | undefined;
    import('./float.ts')
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
