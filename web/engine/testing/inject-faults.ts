// Fault injection for engine.browser.test.ts: the name of a file determines how the worker fails. This module must be
// imported before the worker, because listeners are called in the order of their registration.

import type { FromWorker, ToWorker } from '../shared/protocol.ts';

type Death = 'throws' | 'traps' | 'often dies';

let death: Death | undefined;

addEventListener('message', (event: MessageEvent<ToWorker>) => {
  if (event.data.kind !== 'run' || !(event.data.file instanceof File)) return;
  const { name } = event.data.file;
  death = (['throws', 'traps', 'often dies'] as const).find((one) => name.startsWith(one));
  if (death === 'throws' || (death === 'often dies' && Math.random() < 0.3)) {
    event.stopImmediatePropagation();
    throw new Error('thrown on purpose');
  }
});

// An exception during a progress report passes through the frames of the core, like a trap.
const say = postMessage.bind(globalThis);
Object.assign(globalThis, {
  postMessage: (message: FromWorker<unknown>) => {
    if (death === 'traps' && message.kind === 'progress') throw new WebAssembly.RuntimeError('unreachable');
    say(message);
  },
});

// Makes the clock run fast, so that progress is reported for small images too.
const now = performance.now.bind(performance);
let asked = 0;
performance.now = () => {
  asked += 1;
  return now() + (death === 'traps' ? 1000 * asked : 0);
};
