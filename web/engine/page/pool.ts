// Which job runs when. Jobs go in the order in which they came, as many at a time as there are concurrency and memory: each
// declares what it may hold, and the core holds it to that. A job that would not fit at all runs alone. What a worker
// dies of is tried once more, alone, so that its death costs nobody else anything.

import { CANCELLED, type Outcome } from '../shared/failure.ts';
import type { ResultOf, Task } from '../shared/protocol.ts';
import type { Ending, Runner } from './runner.ts';

/** Linear memory never shrinks: a worker that has grown beyond this is replaced, and the system has its memory back. */
const RETIRE_BYTES = 192 << 20;

/**
 * A worker that says nothing for this many checks, a minute apart, is given up. Checks are counted, not time: a computer
 * that slept for hours wakes up to one.
 */
const SILENT_CHECKS = 5;
const CHECK_INTERVAL_MS = 60_000;

export interface PoolOptions<Kind extends Task['kind']> {
  /** Jobs at a time, at most. */
  readonly concurrency: number;
  /** Bytes that all running jobs together may hold. */
  readonly memory: number;
  readonly makeRunner: () => Runner<Kind>;
}

export interface Request<Kind extends Task['kind']> {
  readonly task: Task & { readonly kind: Kind };
  /** Bytes that the task may hold. */
  readonly memory: number;
  /** The same task with more memory, to be tried alone when the first did not suffice. */
  readonly withMemory?: ((memory: number) => Task & { readonly kind: Kind }) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

interface Job<Kind extends Task['kind']> {
  readonly request: Request<Kind>;
  readonly settle: (outcome: Outcome<ResultOf[Kind]>) => void;
  task: Task & { readonly kind: Kind };
  memory: number;
  /** Whether this is the second try, which runs alone. */
  isAlone: boolean;
  runner: Runner<Kind> | undefined;
  silentChecks: number;
}

export class Pool<Kind extends Task['kind']> {
  readonly #options: PoolOptions<Kind>;
  readonly #waiting: Job<Kind>[] = [];
  readonly #running = new Set<Job<Kind>>();
  readonly #idle: Runner<Kind>[] = [];
  #watch: ReturnType<typeof setInterval> | undefined;
  #isDisposed = false;

  constructor(options: PoolOptions<Kind>) {
    this.#options = options;
  }

  /** Never rejects. */
  run(request: Request<Kind>): Promise<Outcome<ResultOf[Kind]>> {
    const { task, memory, signal } = request;
    if (this.#isDisposed || signal?.aborted) return Promise.resolve(CANCELLED);
    return new Promise((resolve) => {
      const cancel = () => this.#cancel(job);
      const settle = (outcome: Outcome<ResultOf[Kind]>) => {
        signal?.removeEventListener('abort', cancel);
        resolve(outcome);
      };
      const job: Job<Kind> = { request, settle, task, memory, isAlone: false, runner: undefined, silentChecks: 0 };
      signal?.addEventListener('abort', cancel);
      this.#waiting.push(job);
      this.#admit();
    });
  }

  /** Starts one worker, where there is none yet, and has it warm up. */
  async warm(): Promise<void> {
    if (this.#isDisposed || this.#idle.length > 0 || this.#running.size > 0) return;
    const runner = this.#options.makeRunner();
    this.#idle.push(runner);
    await runner.warm();
  }

  /** Ends every worker; whatever waits or runs is cancelled. */
  dispose(): void {
    this.#isDisposed = true;
    const jobs = [...this.#waiting.splice(0), ...this.#running];
    for (const job of jobs) this.#cancel(job);
    for (const runner of this.#idle.splice(0)) runner.terminate();
  }

  #admit(): void {
    for (let job = this.#waiting[0]; job !== undefined && this.#hasRoomFor(job); job = this.#waiting[0]) {
      this.#waiting.shift();
      this.#start(job);
    }
    if (this.#running.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setInterval(() => this.#checkLife(), CHECK_INTERVAL_MS);
    }
  }

  /** Only the first in the queue is asked, so that a large job is not overtaken for ever by small ones. */
  #hasRoomFor(job: Job<Kind>): boolean {
    if (this.#running.size === 0) return true;
    if (job.isAlone || this.#running.size >= this.#options.concurrency) return false;
    let used = 0;
    for (const running of this.#running) {
      if (running.isAlone) return false;
      used += running.memory;
    }
    return used + job.memory <= this.#options.memory;
  }

  #start(job: Job<Kind>): void {
    const runner = this.#takeIdle() ?? this.#options.makeRunner();
    job.runner = runner;
    job.silentChecks = 0;
    this.#running.add(job);
    job.request.onProgress?.(0);
    runner.perform(job.task, {
      onProgress: (fraction) => {
        job.silentChecks = 0;
        job.request.onProgress?.(fraction);
      },
      onEnd: (ending) => this.#finish(job, ending),
    });
  }

  #takeIdle(): Runner<Kind> | undefined {
    const runner = this.#idle.pop();
    return runner === undefined || runner.isUsable ? runner : this.#takeIdle();
  }

  #finish(job: Job<Kind>, ending: Ending<ResultOf[Kind]>): void {
    this.#release(job);
    if (!job.isAlone && this.#shouldRetry(job, ending)) {
      job.isAlone = true;
      this.#waiting.push(job);
    } else {
      job.settle(outcomeOf(ending));
    }
    this.#admit();
  }

  /** Whether a second try, alone, is worth it; a job that was short of memory then gets all there is. */
  #shouldRetry(job: Job<Kind>, ending: Ending<ResultOf[Kind]>): boolean {
    if (ending.kind === 'crashed') return true;
    const { memory } = this.#options;
    const { withMemory } = job.request;
    const isShort = ending.kind === 'failed' && ending.failure.code === 'memory' && job.memory < memory;
    if (!isShort || withMemory === undefined) return false;
    job.task = withMemory(memory);
    job.memory = memory;
    return true;
  }

  /**
   * Takes the job from its seat, and keeps its worker for the next where that is worth it: once nothing waits, one idle
   * worker is enough, and the memory of the others goes back to the system.
   */
  #release(job: Job<Kind>): void {
    const { runner } = job;
    job.runner = undefined;
    this.#running.delete(job);
    if (runner === undefined || !runner.isUsable) return;
    const isSpare = this.#waiting.length === 0 && this.#idle.length > 0;
    if (isSpare || runner.memory > RETIRE_BYTES) runner.terminate();
    else this.#idle.push(runner);
  }

  /** There is no other way to stop a worker that computes than to end it. */
  #cancel(job: Job<Kind>): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    job.runner?.terminate();
    job.runner = undefined;
    this.#running.delete(job);
    job.settle(CANCELLED);
    this.#admit();
  }

  #checkLife(): void {
    for (const job of [...this.#running]) {
      job.silentChecks += 1;
      if (job.silentChecks >= SILENT_CHECKS) job.runner?.giveUp();
    }
  }
}

function outcomeOf<Result>(ending: Ending<Result>): Outcome<Result> {
  switch (ending.kind) {
    case 'done':
      return ending.result;
    case 'failed':
      return { failure: ending.failure };
    case 'crashed':
      return { failure: { code: 'crashed', detail: ending.detail } };
    case 'missing':
      return { failure: { code: 'part-missing', detail: ending.detail } };
  }
}
