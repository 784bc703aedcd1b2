// The page's connection to the service worker: registration, updates and messages.

import { scriptUrl } from '../../engine/shared/script-url.ts';
import {
  WORKER_PATH,
  type WorkerAnswers,
  type WorkerMessage,
  type WorkerNews,
  type WorkerQuestion,
} from '../service-worker-protocol.ts';
import { hrefOf } from './paths.ts';

/** The path of all files with a hash in their names; modules are among them. */
const ASSETS = hrefOf('/assets/');

/** Longer than a change of workers takes, and short enough for the user to wait. */
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

  /** Whether a new worker is installed; it takes over at the next full load. */
  readonly isWaiting = (): boolean => this.#waiting !== null;

  /**
   * Registers the worker. Without a worker the page works, but needs the network.
   * @returns whether there is a worker
   */
  async register(): Promise<boolean> {
    const registration = await this.#container.register(scriptUrl(hrefOf(WORKER_PATH))).catch(() => null);
    if (registration === null) return false;
    if (registration.waiting !== null) this.#noteWaiting(registration.waiting);
    // The browser may have found an update before the listener is added.
    this.#noteInstalling(registration);
    registration.addEventListener('updatefound', () => this.#noteInstalling(registration));
    return true;
  }

  /**
   * Lets a waiting worker take over and then leaves the document. A navigation during the change of workers hangs for
   * half a minute in Chromium, or leaves the new worker waiting.
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
    waiting.postMessage({ ask: 'skip-waiting' } satisfies WorkerMessage);
    setTimeout(once, TAKE_OVER_MS);
  };

  /** Calls back whenever more is stored. */
  listen(onNews: (news: WorkerNews) => void): void {
    this.#container.addEventListener('message', ({ data }: MessageEvent<WorkerNews>) => onNews(data));
  }

  /**
   * Lets the worker store modules: those of files that this page has loaded or loads later, and on `isIdle` those that
   * wait for it. The worker does not see a request that was sent before it controls the page, so the page names the file
   * once it has arrived.
   */
  async store(isIdle: boolean): Promise<void> {
    const { active } = await this.#container.ready;
    const send = (loaded: PerformanceEntryList, idle: boolean) => {
      const used = loaded.map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith(ASSETS));
      if (idle || used.length > 0) active?.postMessage({ ask: 'store', used, isIdle: idle } satisfies WorkerMessage);
    };
    new PerformanceObserver((list) => send(list.getEntries(), false)).observe({ type: 'resource' });
    send(performance.getEntriesByType('resource'), isIdle);
  }

  readonly dropPages = (): void => {
    this.#container.controller?.postMessage({ ask: 'drop-pages' } satisfies WorkerMessage);
  };

  /** Sends a question to the worker. Requires that `register` returned true. @returns null if no worker is active */
  async ask<Q extends WorkerQuestion>(question: Q): Promise<WorkerAnswers[Q] | null> {
    const { active } = await this.#container.ready;
    if (active === null) return null;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<WorkerAnswers[Q]>) => resolve(data);
      active.postMessage({ ask: question } satisfies WorkerMessage, [port2]);
    });
  }

  #noteInstalling({ installing }: ServiceWorkerRegistration): void {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') this.#noteWaiting(installing);
    });
  }

  /** Remembers a waiting worker. The first worker of a site replaces none, so it does not wait. */
  #noteWaiting(worker: ServiceWorker): void {
    if (this.#container.controller !== null) this.#waiting = worker;
  }
}
