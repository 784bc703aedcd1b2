// For engine.browser.test.ts: the real worker, made to die of files whose names say how.

import type { FromWorker, ToWorker } from './protocol.ts';
import './worker.ts';

type Death = 'throws' | 'traps' | 'often dies';

let death: Death | undefined;

// Capturing, so that it comes before the worker's own listener.
addEventListener('message', prepare, { capture: true });

function prepare(event: MessageEvent<ToWorker>): void {
  if (event.data.kind !== 'run' || !(event.data.file instanceof File)) return;
  const { name } = event.data.file;
  death = (['throws', 'traps', 'often dies'] as const).find((one) => name.startsWith(one));
  if (death === 'throws' || (death === 'often dies' && Math.random() < 0.3)) {
    event.stopImmediatePropagation();
    throw new Error('thrown on purpose');
  }
}

// What is thrown while the core tells of its progress goes through the core's own frames, and leaves it as a trap does.
const say = postMessage.bind(globalThis);
Object.assign(globalThis, {
  postMessage: (message: FromWorker<unknown>) => {
    if (death === 'traps' && message.kind === 'progress') throw new WebAssembly.RuntimeError('unreachable');
    say(message);
  },
});
const now = performance.now.bind(performance);
// So that there is progress to tell of, however small the picture.
performance.now = () => (death === 'traps' ? now() + 1000 * Math.random() + 1e6 * calls++ : now());
let calls = 0;
