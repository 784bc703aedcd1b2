// The scheduler of the engine. Jobs start in the order in which they were added, urgent ones first, as many at a time as
// concurrency and memory allow: each job declares its memory limit, and the core enforces it. A job that needs more than
// the pool's limit runs alone. A job whose worker crashed runs once more, alone, so that a second crash affects no other
// job. A job that can run in two workers does so when a processor and the memory are free; its retry runs in one worker.

import { CANCELLED, type Outcome } from '../shared/failure.ts';
import type { ResultOf, Task } from '../shared/protocol.ts';
import type { Ending, TaskRunner } from './runner.ts';
import { hasFreeProcessor } from './threads.ts';

/** The memory above which a worker is replaced: linear memory never shrinks, so only this returns it to the system. */
const RETIRE_BYTES = 192 << 20;

/**
 * The time after the last job until spare workers end. Jobs that follow each other, such as thumbnails while somebody
 * scrolls, would otherwise start a worker each.
 */
const SPARE_MS = 2000;

/**
 * The number of checks, one minute apart, after which a worker that sends no message is ended. Checks are counted
 * instead of time, because a computer that slept for hours has missed only one check.
 */
const SILENT_CHECKS = 5;
const CHECK_INTERVAL_MS = 60_000;

export interface PoolOptions<Kind extends Task['kind']> {
  /** The maximum number of jobs at a time. */
  readonly concurrency: number;
  /** The bytes that all running jobs together may use. */
  readonly memory: number;
  readonly makeRunner: () => TaskRunner<Kind>;
}

export interface Request<Kind extends Task['kind']> {
  readonly task: Task & { readonly kind: Kind };
  /** The bytes that the task may use. */
  readonly memory: number;
  /** Makes the same task with more memory, for the retry of a task that needed more than it declared. */
  readonly withMemory?: ((memory: number) => Task & { readonly kind: Kind }) | undefined;
  /** The same task in two workers, and the bytes that both may use together. */
  readonly inTwo?: { readonly task: Task & { readonly kind: Kind }; readonly memory: number } | undefined;
  /** Whether the job starts before all that wait. */
  readonly isUrgent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

interface Job<Kind extends Task['kind']> {
  readonly request: Request<Kind>;
  readonly settle: (outcome: Outcome<ResultOf[Kind]>) => void;
  task: Task & { readonly kind: Kind };
  memory: number;
  /** The number of workers that compute for the job. */
  workers: number;
  /** Whether this is the retry, which runs alone. */
  isAlone: boolean;
  runner: TaskRunner<Kind> | undefined;
  silentChecks: number;
}

export class Pool<Kind extends Task['kind']> {
  readonly #options: PoolOptions<Kind>;
  readonly #waiting: Job<Kind>[] = [];
  readonly #running = new Set<Job<Kind>>();
  readonly #idle: TaskRunner<Kind>[] = [];
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(options: PoolOptions<Kind>) {
    this.#options = options;
  }

  /** Runs a task when its turn comes. The promise never rejects. */
  run(request: Request<Kind>): Promise<Outcome<ResultOf[Kind]>> {
    const { task, memory, signal } = request;
    if (this.#isDisposed || signal?.aborted) return Promise.resolve(CANCELLED);
    return new Promise((resolve) => {
      const cancel = () => this.#cancel(job);
      const settle = (outcome: Outcome<ResultOf[Kind]>) => {
        signal?.removeEventListener('abort', cancel);
        resolve(outcome);
      };
      const job: Job<Kind> = {
        request,
        settle,
        task,
        memory,
        workers: 1,
        isAlone: false,
        runner: undefined,
        silentChecks: 0,
      };
      signal?.addEventListener('abort', cancel);
      if (request.isUrgent) this.#waiting.unshift(job);
      else this.#waiting.push(job);
      if (request.inTwo === undefined) this.#startWaiting();
      // Delayed, so that the first of several jobs that are added together knows that others wait.
      else queueMicrotask(() => this.#startWaiting());
    });
  }

  /** Starts one worker, if there is none, and warms it up. */
  async warm(): Promise<void> {
    if (this.#isDisposed || this.#idle.length > 0 || this.#running.size > 0) return;
    const runner = this.#options.makeRunner();
    this.#idle.push(runner);
    await runner.warm();
  }

  /** Ends every worker; all waiting and running jobs are cancelled. */
  dispose(): void {
    this.#isDisposed = true;
    const jobs = [...this.#waiting.splice(0), ...this.#running];
    for (const job of jobs) this.#cancel(job);
    this.#endIdle(0);
  }

  #startWaiting(): void {
    for (let job = this.#waiting[0]; job !== undefined && this.#hasRoomFor(job); job = this.#waiting[0]) {
      this.#waiting.shift();
      this.#start(job);
    }
    if (this.#running.size === 0) {
      clearInterval(this.#watchdog);
      this.#watchdog = undefined;
    } else {
      this.#watchdog ??= setInterval(() => this.#endSilentWorkers(), CHECK_INTERVAL_MS);
    }
  }

  /**
   * Whether the first waiting job can start. Later ones are not checked, so small jobs cannot delay a large one
   * forever.
   */
  #hasRoomFor(job: Job<Kind>): boolean {
    if (this.#running.size === 0) return true;
    if (job.isAlone || this.#running.size >= this.#options.concurrency) return false;
    if ([...this.#running].some(({ isAlone }) => isAlone)) return false;
    return this.#used('memory') + job.memory <= this.#options.memory;
  }

  /** Returns the memory or the workers of all running jobs. */
  #used(what: 'memory' | 'workers'): number {
    return [...this.#running].reduce((sum, job) => sum + job[what], 0);
  }

  /** Lets a job that starts use two workers, if a processor and the memory are free. */
  #spread(job: Job<Kind>): void {
    const { inTwo } = job.request;
    if (inTwo === undefined || job.isAlone) return;
    const { concurrency: processors, memory } = this.#options;
    const load = { processors, busy: this.#used('workers'), waiting: this.#waiting.length };
    if (!hasFreeProcessor(load) || this.#used('memory') + inTwo.memory > memory) return;
    job.task = inTwo.task;
    job.memory = inTwo.memory;
    job.workers = 2;
  }

  #start(job: Job<Kind>): void {
    this.#spread(job);
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

  #takeIdle(): TaskRunner<Kind> | undefined {
    const runner = this.#idle.pop();
    return runner === undefined || runner.isUsable ? runner : this.#takeIdle();
  }

  #finish(job: Job<Kind>, ending: Ending<ResultOf[Kind]>): void {
    this.#release(job);
    if (!job.isAlone && this.#shouldRetry(job, ending)) {
      job.isAlone = true;
      job.workers = 1;
      this.#waiting.push(job);
    } else {
      job.settle(outcomeOf(ending));
    }
    this.#startWaiting();
  }

  /**
   * Whether a retry, alone, can succeed. A job that needed more memory than it declared then gets all of the memory.
   */
  #shouldRetry(job: Job<Kind>, ending: Ending<ResultOf[Kind]>): boolean {
    const { memory } = this.#options;
    const { withMemory } = job.request;
    if (ending.kind === 'crashed') {
      job.task = job.request.task;
      job.memory = job.request.memory;
      return true;
    }
    const isShort = ending.kind === 'failed' && ending.failure.code === 'memory' && job.request.memory < memory;
    if (!isShort || withMemory === undefined) return false;
    job.task = withMemory(memory);
    job.memory = memory;
    return true;
  }

  /**
   * Removes a finished job and keeps its worker for the next job. Later, one idle worker is enough: the others end, so
   * that the system gets their memory back.
   */
  #release(job: Job<Kind>): void {
    const { runner } = job;
    job.runner = undefined;
    this.#running.delete(job);
    if (runner === undefined || !runner.isUsable) return;
    if (runner.memory > RETIRE_BYTES) runner.terminate();
    else this.#idle.push(runner);
    clearTimeout(this.#spareTimer);
    if (this.#idle.length > 1) this.#spareTimer = setTimeout(() => this.#endIdle(1), SPARE_MS);
  }

  /** Ends the idle workers but some. */
  #endIdle(kept: number): void {
    clearTimeout(this.#spareTimer);
    for (const runner of this.#idle.splice(kept)) runner.terminate();
  }

  /** Cancels one job. A worker that computes cannot be interrupted, so it is terminated. */
  #cancel(job: Job<Kind>): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
    job.runner?.terminate();
    job.runner = undefined;
    this.#running.delete(job);
    job.settle(CANCELLED);
    // Delayed, so that of several jobs that are cancelled together none starts because another one has ended.
    queueMicrotask(() => this.#startWaiting());
  }

  #endSilentWorkers(): void {
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
