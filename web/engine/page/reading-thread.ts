// Threads that read files while workers compute. Each belongs to one worker and ends with it.

import type { ServeReads } from '../shared/reads-protocol.ts';
import { scriptUrl } from '../shared/script-url.ts';

export interface ReadingThread {
  /** For the worker that the thread reads for. */
  readonly port: MessagePort;
  terminate(): void;
}

/**
 * Starts a thread; null in Firefox, where a worker reads its files asynchronously itself, and where a policy forbids it.
 * A bytes buffer that passes through a MessagePort is copied by Chromium, but the copy is lost in the noise: a file of
 * 72 MB takes 311 ms (Chromium) and 490 (WebKit), and 307 and 490 where the thread is a worker of the worker, which would
 * need a weaker policy. Without a thread it takes 336 and 674; Firefox takes 1035 with one and 751 without.
 */
export function startReadingThread(url: string): ReadingThread | null {
  if (navigator.userAgent.includes('Firefox/')) return null;
  const { port1, port2 } = new MessageChannel();
  try {
    const worker = new Worker(scriptUrl(url), { type: 'module' });
    // A worker whose thread does not start reads synchronously.
    worker.onerror = (event) => event.preventDefault();
    worker.postMessage({ port: port1 } satisfies ServeReads, [port1]);
    return { port: port2, terminate: () => worker.terminate() };
  } catch {
    return null;
  }
}
