// The user's actions as data. Buttons and keyboard shortcuts use the same actions, so both have the same label and are
// enabled at the same time.

import type { MessageKey } from '../../i18n/messages.ts';
import type { Session, View } from './session.ts';

/** A key combination; `mod` is ctrl, or ⌘ on Apple keyboards. */
export interface Shortcut {
  readonly key: string;
  readonly mod: boolean;
}

export interface Action {
  readonly label: MessageKey;
  readonly enabled: (view: View) => boolean;
  readonly run: (session: Session) => void;
}

export const resize: Action = {
  label: 'action.resize',
  enabled: ({ counts, stage, hasRecipe }) =>
    hasRecipe &&
    stage !== 'running' &&
    stage !== 'reading' &&
    counts.pending - counts.impossible + counts.retryable > 0,
  run: ({ queue }) => queue.resize(),
};

export const cancel: Action = {
  label: 'action.cancel',
  enabled: ({ stage }) => stage === 'running',
  run: ({ queue }) => queue.cancel(),
};

/** Ends a run whose settings have changed meanwhile, and starts it with the current ones. */
export const restart: Action = {
  label: 'action.restart',
  enabled: ({ stage, hasRecipe }) => stage === 'running' && hasRecipe,
  run: ({ queue }) => queue.restart(),
};

export const save: Action = {
  label: 'action.save',
  enabled: ({ counts, stage }) => stage !== 'running' && counts.done + counts.kept > 0,
  run: (session) => void session.save(),
};

export const retry: Action = {
  label: 'action.retry',
  enabled: ({ counts, stage, hasRecipe }) => hasRecipe && stage !== 'running' && counts.retryable > 0,
  run: ({ queue }) => queue.retry(),
};

export const clear: Action = {
  label: 'list.clear',
  enabled: ({ counts }) => counts.total > 0,
  run: (session) => session.clear(),
};

export const resetSettings: Action = {
  label: 'settings.reset',
  enabled: () => true,
  run: ({ settings }) => settings.reset(),
};

/** The actions that have a keyboard shortcut. */
export const shortcuts: readonly { readonly shortcut: Shortcut; readonly action: Action }[] = [
  { shortcut: { key: 'Enter', mod: true }, action: resize },
];
