// The session's world in a browser.

import { createEngine } from '../engine/index.ts';
import { download } from './save/index.ts';
import type { World } from './session.ts';

export const browserWorld: World = {
  createEngine: () => createEngine(),
  deliver: download,
  keeper: () => window.localStorage,
  reveal: (id) => {
    const row = document.querySelector<HTMLElement>(`[data-item="${id}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('[data-remove]')?.focus({ preventScroll: true });
  },
  now: () => new Date(),
};
