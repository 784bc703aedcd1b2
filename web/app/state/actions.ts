// What the user can want, as data: buttons and shortcuts render these, so that both always agree on the words and on
// whether it is possible now.

import type { MessageKey } from '../../i18n/messages.ts';
import type { Session, View } from './session.ts';

/** `mod` is ctrl, on Apple's keyboards ⌘. */
export interface Shortcut {
  readonly key: string;
  readonly mod: boolean;
}

export interface Action {
  readonly id: string;
  readonly label: MessageKey;
  readonly shortcut?: Shortcut;
  readonly enabled: (view: View) => boolean;
  readonly run: (session: Session) => void;
}

export const resize: Action = {
  id: 'resize',
  label: 'action.resize',
  shortcut: { key: 'Enter', mod: true },
  enabled: ({ counts, stage, hasRecipe }) =>
    hasRecipe && stage !== 'running' && stage !== 'reading' && counts.total > counts.unusable,
  run: ({ queue }) => queue.resize(),
};

export const cancel: Action = {
  id: 'cancel',
  label: 'action.cancel',
  enabled: ({ stage }) => stage === 'running',
  run: ({ queue }) => queue.cancel(),
};

export const save: Action = {
  id: 'save',
  label: 'action.save',
  enabled: ({ counts, stage }) => stage !== 'running' && counts.done + counts.kept > 0,
  run: (session) => void session.save(),
};

export const retry: Action = {
  id: 'retry',
  label: 'action.retry',
  enabled: ({ counts, stage, hasRecipe }) => hasRecipe && stage !== 'running' && counts.retryable > 0,
  run: ({ queue }) => queue.retry(),
};

export const clear: Action = {
  id: 'clear',
  label: 'list.clear',
  enabled: ({ counts }) => counts.total > 0,
  run: (session) => session.clear(),
};

export const resetSettings: Action = {
  id: 'reset-settings',
  label: 'settings.reset',
  enabled: () => true,
  run: ({ settings }) => settings.reset(),
};

/** Those with a shortcut. */
export const shortcutActions: readonly (Action & { readonly shortcut: Shortcut })[] = [resize].flatMap((action) =>
  action.shortcut === undefined ? [] : [{ ...action, shortcut: action.shortcut }],
);
