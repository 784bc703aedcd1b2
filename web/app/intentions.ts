// What the user can want, as data: buttons and shortcuts render these, so that both always agree on the words and on
// whether it is possible now.

import type { MessageKey } from '../i18n/index.ts';
import type { Session, View } from './session.ts';

/** `mod` is ctrl, on Apple's keyboards ⌘. */
export interface Shortcut {
  readonly key: string;
  readonly mod: boolean;
}

export interface Intention {
  readonly id: string;
  readonly label: MessageKey;
  readonly shortcut?: Shortcut;
  readonly enabled: (view: View) => boolean;
  readonly run: (session: Session) => void;
}

export const resize: Intention = {
  id: 'resize',
  label: 'action.resize',
  shortcut: { key: 'Enter', mod: true },
  enabled: ({ tally, stage, hasRecipe }) =>
    hasRecipe && stage !== 'running' && stage !== 'reading' && tally.total > tally.unusable,
  run: ({ queue }) => queue.resize(),
};

export const cancel: Intention = {
  id: 'cancel',
  label: 'action.cancel',
  enabled: ({ stage }) => stage === 'running',
  run: ({ queue }) => queue.cancel(),
};

export const save: Intention = {
  id: 'save',
  label: 'action.save',
  enabled: ({ tally, stage }) => stage !== 'running' && tally.done + tally.kept > 0,
  run: (session) => void session.save(),
};

export const retry: Intention = {
  id: 'retry',
  label: 'action.retry',
  enabled: ({ tally, stage, hasRecipe }) => hasRecipe && stage !== 'running' && tally.retryable > 0,
  run: ({ queue }) => queue.retry(),
};

export const clear: Intention = {
  id: 'clear',
  label: 'list.clear',
  enabled: ({ tally }) => tally.total > 0,
  run: (session) => session.clear(),
};

export const resetSettings: Intention = {
  id: 'reset-settings',
  label: 'settings.reset',
  enabled: () => true,
  run: ({ settings }) => settings.reset(),
};

/** Those with a shortcut. */
export const withShortcut: readonly (Intention & { readonly shortcut: Shortcut })[] = [resize].flatMap((intention) =>
  intention.shortcut === undefined ? [] : [{ ...intention, shortcut: intention.shortcut }],
);
