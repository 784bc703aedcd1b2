// For engine.browser.test.ts: makes the worker die of files whose names say how. To be loaded before the worker, since
// listeners are called in the order in which they came.

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

// What is thrown while the core tells of its progress goes through the core's own frames, and leaves it as a trap does.
const say = postMessage.bind(globalThis);
Object.assign(globalThis, {
  postMessage: (message: FromWorker<unknown>) => {
    if (death === 'traps' && message.kind === 'progress') throw new WebAssembly.RuntimeError('unreachable');
    say(message);
  },
});

// Time that flies, so that there is progress to tell of, however small the picture.
const now = performance.now.bind(performance);
let asked = 0;
performance.now = () => {
  asked += 1;
  return now() + (death === 'traps' ? 1000 * asked : 0);
};
