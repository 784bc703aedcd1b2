// The service worker's side of the page: registration, updates, and what it can tell about working offline.

import { scriptUrl } from '../../engine/shared/script-url.ts';
import { hrefOf } from './paths.ts';

/** What pages ask of the service worker. */
export type WorkerRequest =
  | { readonly ask: 'skip-waiting' }
  | { readonly ask: 'drop-pages' }
  /** Answered through the port: an `OfflineState`. */
  | { readonly ask: 'offline-state' }
  /** Answered through the port: the files that another app has shared, once. */
  | { readonly ask: 'shared-files' };

export interface OfflineState {
  /** Bytes of all files that the site needs, or null where some are not stored yet. */
  readonly bytes: number | null;
}

export const WORKER_PATH = '/sw.js';

/** Longer than a change of workers takes, shorter than anybody waits for a page. */
const TAKE_OVER_MS = 1000;

export function mayRegister({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export class WorkerLink {
  readonly #container: ServiceWorkerContainer;
  #waiting: ServiceWorker | null = null;

  constructor(container: ServiceWorkerContainer) {
    this.#container = container;
  }

  /** A new worker is stored and takes over with the next full load. */
  readonly isWaiting = (): boolean => this.#waiting !== null;

  /**
   * Failing is no loss for the page: it then needs the network, as any other.
   * @returns whether there is a worker to ask
   */
  async register(): Promise<boolean> {
    const registration = await this.#container.register(scriptUrl(hrefOf(WORKER_PATH))).catch(() => null);
    if (registration === null) return false;
    if (registration.waiting !== null) this.#noteWaiting(registration.waiting);
    // The search for an update may have begun before anybody listened.
    this.#noteInstalling(registration);
    registration.addEventListener('updatefound', () => this.#noteInstalling(registration));
    return true;
  }

  /**
   * Lets a new worker take over, if one waits, and then leaves the document. Not at the same time: a navigation that
   * meets the change of workers hangs for half a minute in Chromium, or keeps the new one waiting.
   */
  readonly takeOverThen = (leave: () => void): void => {
    const waiting = this.#waiting;
    if (waiting === null) return leave();
    let left = false;
    const once = () => {
      if (!left) leave();
      left = true;
    };
    waiting.addEventListener('statechange', () => {
      if (waiting.state === 'activated') once();
    });
    waiting.postMessage({ ask: 'skip-waiting' } satisfies WorkerRequest);
    setTimeout(once, TAKE_OVER_MS);
  };

  readonly dropPages = (): void => {
    this.#container.controller?.postMessage({ ask: 'drop-pages' } satisfies WorkerRequest);
  };

  /** To be called once `register` has found a worker. @returns null where it does not answer */
  async ask<T>(request: WorkerRequest): Promise<T | null> {
    const { active } = await this.#container.ready;
    if (active === null) return null;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
      active.postMessage(request, [port2]);
    });
  }

  #noteInstalling({ installing }: ServiceWorkerRegistration): void {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') this.#noteWaiting(installing);
    });
  }

  /** The first worker of all replaces nobody. */
  #noteWaiting(worker: ServiceWorker): void {
    if (this.#container.controller !== null) this.#waiting = worker;
  }
}
