// The session's world in a browser.

import { createEngine } from '../engine/index.ts';
import { fetchWorkbench } from './later.ts';
import type { World } from './session.ts';

export const browserWorld: World = {
  createEngine: () => createEngine(),
  deliver: (file) => void fetchWorkbench().then(({ download }) => download(file)),
  keeper: () => window.localStorage,
  reveal: (id) => {
    const row = document.querySelector<HTMLElement>(`[data-item="${id}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('[data-remove]')?.focus({ preventScroll: true });
  },
  now: () => new Date(),
};
