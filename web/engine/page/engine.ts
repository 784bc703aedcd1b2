// Images in, images out: threads and wasm stay behind this interface. Promises never reject; whatever becomes of a file
// is a value.

import { INTERNAL_FORMAT } from '../../domain/formats.ts';
import type { MetadataPolicy, ResizeJob } from '../../domain/job.ts';
import { memoryBudget } from '../../domain/memory.ts';
import type { ImageInfo } from '../shared/border.ts';
import { CANCELLED, isFailed, type Outcome } from '../shared/failure.ts';
import type { ResizeResult } from '../shared/protocol.ts';
import { scriptUrl } from '../shared/script-url.ts';
import { ASSETS, type Assets } from './assets.ts';
import { CoreModule } from './core-module.ts';
import { whenIdle } from './idle.ts';
import { Pool } from './pool.ts';
import { Runner } from './runner.ts';

export interface Progress {
  /** 0 when the job leaves the queue, and again should it be tried twice; then up to 1, about ten times a second at most. */
  readonly fraction: number;
}

export interface ProbeOptions {
  /** When it aborts, the outcome is the failure `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions extends ProbeOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Engine {
  /** Bytes that all running jobs together may hold. */
  readonly memory: number;
  /** Reads a file's header, and nothing else of it. Headers do not wait for pictures that are being resized. */
  probe(file: Blob, options?: ProbeOptions): Promise<Outcome<ImageInfo>>;
  /**
   * Resizes a file as soon as processors and memory allow. A worker that dies costs no other job anything; its own is
   * tried once more, alone.
   */
  run(file: Blob, job: ResizeJob, options?: RunOptions): Promise<Outcome<ResizeResult>>;
  /** Copies a JPEG or PNG as it is, but for what it says beside the pixels. */
  rewriteMetadata(file: Blob, policy: MetadataPolicy, options?: ProbeOptions): Promise<Outcome<ResizeResult>>;
  /** Loads the core and makes the first picture as quick as the tenth; without a call it happens when the page is idle. */
  warm(): Promise<void>;
  /** Ends every worker; what is under way, and what is asked for later, is `cancelled`. */
  dispose(): void;
}

export interface EngineOptions {
  /** Bytes that all running jobs together may hold; else guessed from the device. */
  readonly memory?: number | undefined;
  /** Jobs at a time, at most; else the number of processors, at most 4. */
  readonly concurrency?: number | undefined;
  /** Whether to load and warm up by itself, when the page is idle; else only with the first file. */
  readonly warmWhenIdle?: boolean | undefined;
  /** Where the worker's script and the core are, should they not be where the build put them. */
  readonly assets?: Assets | undefined;
}

/** More than four jobs at a time gain little, as all of them wait for the same memory bus, and cost a phone its memory. */
const MAX_CONCURRENCY = 4;

/** What reading a header may hold: room for the largest colour profile and more. */
const PROBE_MEMORY_BYTES = 64 << 20;

export function createEngine(options: EngineOptions = {}): Engine {
  const { assets = ASSETS, memory = memoryBudget(deviceGib()), concurrency = defaultConcurrency() } = options;
  const engine = new ThreadedEngine(assets, memory, concurrency);
  if (options.warmWhenIdle ?? true) whenIdle(() => void engine.warm());
  return engine;
}

interface Pools {
  readonly probe: Pool<'probe'>;
  readonly run: Pool<'run' | 'rewriteMetadata'>;
}

class ThreadedEngine implements Engine {
  readonly memory: number;
  readonly #concurrency: number;
  readonly #assets: Assets;
  readonly #core: CoreModule;
  #pools: Pools | undefined;
  #isDisposed = false;

  constructor(assets: Assets, memory: number, concurrency: number) {
    this.memory = memory;
    this.#concurrency = concurrency;
    this.#assets = assets;
    this.#core = new CoreModule(assets.core);
  }

  async probe(file: Blob, { signal }: ProbeOptions = {}): Promise<Outcome<ImageInfo>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    // Whoever asks for a header will want the picture soon.
    void pools.run.warm();
    const task = { kind: 'probe', file, memory: PROBE_MEMORY_BYTES } as const;
    return asPicture(await pools.probe.run({ task, memory: PROBE_MEMORY_BYTES, signal }));
  }

  async run(file: Blob, job: ResizeJob, { signal, onProgress }: RunOptions = {}): Promise<Outcome<ResizeResult>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    const taskWith = (memory: number) => ({ kind: 'run', file, job: { ...job, memory } }) as const;
    const tell = onProgress && ((fraction: number) => onProgress({ fraction }));
    return pools.run.run({
      task: taskWith(job.memory),
      memory: job.memory,
      withMemory: taskWith,
      signal,
      onProgress: tell,
    });
  }

  async rewriteMetadata(
    file: Blob,
    policy: MetadataPolicy,
    { signal }: ProbeOptions = {},
  ): Promise<Outcome<ResizeResult>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    const task = { kind: 'rewriteMetadata', file, policy, memory: PROBE_MEMORY_BYTES } as const;
    return pools.run.run({ task, memory: PROBE_MEMORY_BYTES, signal });
  }

  async warm(): Promise<void> {
    const pools = await this.#prepare();
    if (!isFailed(pools)) await pools.run.warm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pools?.probe.dispose();
    this.#pools?.run.dispose();
  }

  /** Nothing is loaded before it is needed. */
  async #prepare(): Promise<Outcome<Pools>> {
    const module = await this.#core.load();
    if (this.#isDisposed) return CANCELLED;
    if (isFailed(module)) return module;
    this.#pools ??= this.#makePools(module);
    return this.#pools;
  }

  #makePools(module: WebAssembly.Module): Pools {
    const spawn = () => new Worker(scriptUrl(this.#assets.worker), { type: 'module' });
    const { memory } = this;
    return {
      // Of its own, so that headers do not wait for pictures.
      probe: new Pool({ concurrency: 1, memory, makeRunner: () => new Runner(spawn, module) }),
      run: new Pool({ concurrency: this.#concurrency, memory, makeRunner: () => new Runner(spawn, module) }),
    };
  }
}

/** Bare rows go from part to part inside of the core, which knows them by name; a file of them is nobody's picture. */
function asPicture(header: Outcome<ImageInfo>): Outcome<ImageInfo> {
  const { format = null } = isFailed(header) ? { format: null, ...header.failure } : header;
  return format === INTERNAL_FORMAT
    ? { failure: { code: 'not-an-image', detail: 'rows without a file around them' } }
    : header;
}

/** `navigator.deviceMemory`, which some browsers keep to themselves. */
function deviceGib(): number | undefined {
  return 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : undefined;
}

function defaultConcurrency(): number {
  return Math.min(navigator.hardwareConcurrency || 1, MAX_CONCURRENCY);
}
