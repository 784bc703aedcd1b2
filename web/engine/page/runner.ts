// The page's side of a worker. It runs one task at a time, and every task ends, also if the worker crashes.

import type { CoreFailure } from '../shared/core-types.ts';
import type { FromWorker, ResultOf, Start, Task, Verify, Warm } from '../shared/protocol.ts';
import type { ReadingThread } from './reading-thread.ts';

/** The outcome of a task. After `crashed` and `missing` the runner cannot be used again. */
export type Ending<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly failure: CoreFailure }
  | { readonly kind: 'crashed'; readonly detail: string }
  /** The worker's script did not load, or belongs to another build than the core. */
  | { readonly kind: 'missing'; readonly detail: string };

export interface Listener<Result> {
  onProgress(fraction: number): void;
  onEnd(ending: Ending<Result>): void;
}

/** The interface that the pool uses: one worker, or several that run a job together. */
export type TaskRunner<Kind extends Task['kind']> = Pick<
  Runner<Kind>,
  'memory' | 'isUsable' | 'perform' | 'warm' | 'giveUp' | 'terminate'
>;

export class Runner<Kind extends Task['kind']> {
  readonly #worker: Worker | undefined;
  readonly #readingThread: ReadingThread | null;
  #hasStarted = false;
  #end: (Ending<ResultOf[Kind]> & { kind: 'crashed' | 'missing' }) | undefined;
  #listener: Listener<ResultOf[Kind]> | undefined;
  #onWarmed: (() => void) | undefined;
  #memory = 0;

  /**
   * `spawn` may throw, because a policy of the page can forbid the script. The thread ends with the worker. `library` is
   * the module that encodes pictures for `module`.
   */
  constructor(
    spawn: () => Worker,
    module: WebAssembly.Module,
    thread: ReadingThread | null = null,
    library?: WebAssembly.Module,
  ) {
    this.#readingThread = thread;
    const readingThread = thread === null ? null : thread.port;
    try {
      this.#worker = spawn();
      this.#listen(this.#worker);
      const ports = readingThread === null ? [] : [readingThread];
      this.#worker.postMessage({ kind: 'start', module, library, readingThread } satisfies Start, ports);
    } catch (error) {
      this.#die('missing', String(error));
    }
  }

  /** The size of the worker's linear memory after its last task, in bytes. */
  get memory(): number {
    return this.#memory;
  }

  /** Whether the worker can be used: no crash is known. */
  get isUsable(): boolean {
    return this.#end === undefined;
  }

  /** Starts a task. The previous task must have ended. */
  perform(task: Task & { kind: Kind }, listener: Listener<ResultOf[Kind]>): void {
    if (this.#end !== undefined) {
      listener.onEnd(this.#end);
      return;
    }
    this.#listener = listener;
    const ports = Object.values(task).filter((value) => value instanceof MessagePort);
    this.#worker?.postMessage(task, ports);
  }

  /** Sends the file that a `stage` task waits for. */
  verify(file: Blob): void {
    this.#worker?.postMessage({ kind: 'verify', file } satisfies Verify);
  }

  /** Resolves when the worker is warm, has received a task, or has ended. */
  warm(): Promise<void> {
    if (!this.isUsable) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onWarmed = resolve;
      this.#worker?.postMessage({ kind: 'warm' } satisfies Warm);
    });
  }

  /** Ends a worker that does not answer; its task ends like after a crash. */
  giveUp(): void {
    this.#die('crashed', 'the worker did not answer');
  }

  /** Terminates the worker; the listener of its task is not called. */
  terminate(): void {
    const worker = this.#worker;
    if (worker !== undefined) {
      worker.onmessage = null;
      worker.onerror = null;
      worker.onmessageerror = null;
      worker.terminate();
    }
    this.#readingThread?.terminate();
    this.#onWarmed?.();
  }

  #listen(worker: Worker): void {
    worker.onmessage = ({ data }: MessageEvent<FromWorker<ResultOf[Kind]>>) => this.#onMessage(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#die(this.#hasStarted ? 'crashed' : 'missing', event.message ?? 'the script did not load');
    };
    worker.onmessageerror = () => this.#die('crashed', 'a message could not be read');
  }

  #onMessage(message: FromWorker<ResultOf[Kind]>): void {
    switch (message.kind) {
      case 'started':
        this.#hasStarted = true;
        break;
      case 'unusable':
        this.#die('missing', message.detail);
        break;
      case 'warmed':
        this.#onWarmed?.();
        break;
      case 'progress':
        this.#listener?.onProgress(message.fraction);
        break;
      case 'done':
      case 'failed':
        this.#memory = message.memory;
        this.#finish(message);
        break;
      case 'crashed':
        this.#die('crashed', message.detail);
        break;
    }
  }

  #die(kind: 'crashed' | 'missing', detail: string): void {
    const end = { kind, detail };
    this.#end = end;
    this.terminate();
    this.#finish(end);
  }

  #finish(ending: Ending<ResultOf[Kind]>): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onEnd(ending);
  }
}
