// Prefetches pages whose links are visible, when the browser is idle: four at a time, three seconds after the first
// request and after each batch.

import { pathOf } from './paths.ts';

const DELAY_MS = 3000;
const BATCH = 4;
const BOTS = /bot|crawler|spider|crawling/i;

/** The properties of `navigator` that decide whether to prefetch. */
export interface Visitor {
  readonly userAgent: string;
  readonly connection?: { readonly effectiveType?: string; readonly saveData?: boolean } | undefined;
}

export interface PrefetchOptions {
  readonly visitor: Visitor;
  readonly isKnown: (path: string) => boolean;
  readonly prefetch: (href: string) => Promise<void>;
  /** Calls the function when the browser is idle. */
  readonly whenIdle: (callback: () => void) => void;
}

export class PrefetchQueue {
  readonly #options: PrefetchOptions;
  readonly #queue = new Map<string, string>();
  readonly #asked = new Set<string>();
  #busy = false;

  constructor(options: PrefetchOptions) {
    this.#options = options;
  }

  /** Requests a page. The returned function withdraws the request if it has not started. */
  request(href: string): () => void {
    const path = pathOf(href);
    if (!this.#isWanted(path)) return () => undefined;
    this.#queue.set(path, href);
    if (!this.#busy) this.#schedule();
    return () => {
      this.#queue.delete(path);
    };
  }

  #isWanted(path: string): boolean {
    const { userAgent, connection } = this.#options.visitor;
    if (connection?.saveData === true || connection?.effectiveType?.includes('2g') === true) return false;
    return !BOTS.test(userAgent) && !this.#options.isKnown(path) && !this.#asked.has(path) && !this.#queue.has(path);
  }

  #schedule(): void {
    this.#busy = true;
    setTimeout(() => this.#options.whenIdle(() => void this.#runBatch()), DELAY_MS);
  }

  async #runBatch(): Promise<void> {
    const batch = [...this.#queue].slice(0, BATCH);
    for (const [path] of batch) {
      this.#queue.delete(path);
      this.#asked.add(path);
    }
    await Promise.allSettled(batch.map(([, href]) => this.#options.prefetch(href)));
    if (this.#queue.size > 0) this.#schedule();
    else this.#busy = false;
  }
}
