// Fault injection for engine.browser.test.ts and threads.browser.test.ts: the name of a file, or the query of the worker's
// URL, determines how the worker fails. This module must be imported before the worker, because listeners are called in
// the order of their registration.

import type { FromWorker, ToWorker } from '../shared/protocol.ts';

const DEATHS = ['throws', 'traps', 'often dies'] as const;
type Death = (typeof DEATHS)[number];

/** How the worker fails at each task, if its URL says so: `?throws` or `?traps`. */
const always = DEATHS.find((one) => location.search.includes(one));

let death: Death | undefined;

addEventListener('message', (event: MessageEvent<ToWorker>) => {
  const { data } = event;
  if (data.kind !== 'run' && data.kind !== 'decode') return;
  death = always ?? DEATHS.find((one) => data.file instanceof File && data.file.name.startsWith(one));
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
