// Threads that read files while workers compute. Each belongs to one worker and ends with it.

import type { ServeReads } from '../shared/reads-protocol.ts';
import { scriptUrl } from '../shared/script-url.ts';

export interface ReadingThread {
  /** For the worker that the thread reads for. */
  readonly port: MessagePort;
  terminate(): void;
}

/**
 * Starts a thread. Null in Firefox, where workers read asynchronously themselves, and if a policy forbids the thread.
 *
 * Buffers that pass through a MessagePort are copied, but that cannot be measured: a BMP of 72 MB becomes a JPEG in the
 * same processor time as with a thread that the worker starts itself (1.00 in Chromium and WebKit, medians of 15 runs in
 * turn), which would need a weaker policy. In Firefox reading and computing take 1035 ms with a thread and 751 without,
 * and a worker that has one and also reads synchronously sometimes waits forever.
 */
export function startReadingThread(url: string): ReadingThread | null {
  if (navigator.userAgent.includes('Firefox/')) return null;
  const { port1, port2 } = new MessageChannel();
  try {
    const worker = new Worker(scriptUrl(url), { type: 'module' });
    // If the thread does not start, the worker reads synchronously.
    worker.onerror = (event) => event.preventDefault();
    worker.postMessage({ port: port1 } satisfies ServeReads, [port1]);
    return { port: port2, terminate: () => worker.terminate() };
  } catch {
    return null;
  }
}
