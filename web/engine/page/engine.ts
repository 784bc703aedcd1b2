// The engine: resizes images on worker threads with the WebAssembly core. Its promises never reject; a failure is a
// value.

import { type EncoderModule, FORMATS, type Reader } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import type { CopyChanges } from '../../domain/plan.ts';
import type { ImageInfo } from '../shared/core-types.ts';
import { CANCELLED, isFailed, type Outcome } from '../shared/failure.ts';
import type { ResizeResult, RunTask } from '../shared/protocol.ts';
import { scriptUrl } from '../shared/script-url.ts';
import { ASSETS, type Assets } from './assets.ts';
import { Chain } from './chain.ts';
import { Decoders } from './decoders.ts';
import { defaultConcurrency, defaultMemory } from './device.ts';
import { Encoders } from './encoders.ts';
import { whenIdle } from './idle.ts';
import { Pool, type Request } from './pool.ts';
import { startReadingThread } from './reading-thread.ts';
import { Runner } from './runner.ts';
import { canDecodeApart } from './threads.ts';
import { WasmModule } from './wasm-module.ts';

export interface Progress {
  /** 0 when the job starts, and again if it is retried; then up to 1, at most ten times a second. */
  readonly fraction: number;
}

export interface ProbeOptions {
  /** Aborts the call; the outcome is then the failure `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions extends ProbeOptions {
  /** Whether the job starts before all that wait, because somebody looks at its place on the screen. Default: false. */
  readonly isUrgent?: boolean | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Engine {
  /** The bytes of memory that all running jobs together may use. */
  readonly memory: number;
  /** Reads the header of a file. It does not wait for images that are being resized. */
  probe(file: Blob, options?: ProbeOptions): Promise<Outcome<ImageInfo>>;
  /**
   * Resizes a file as soon as processors and memory allow. A job whose worker crashed is retried once, alone; other
   * jobs are not affected.
   */
  run(file: Blob, job: ResizeJob, options?: RunOptions): Promise<Outcome<ResizeResult>>;
  /** Copies a file that was probed with other metadata, or turned, without encoding its pixels again. */
  rewriteMetadata(file: Blob, changes: CopyChanges, options?: ProbeOptions): Promise<Outcome<ResizeResult>>;
  /** Loads the core and warms up one worker, so that the first image is resized at full speed. */
  warm(): Promise<void>;
  /** Ends every worker. Current and later calls give the failure `cancelled`. */
  dispose(): void;
}

export interface EngineOptions {
  /** The bytes of memory that all running jobs together may use. Default: estimated from the device. */
  readonly memory?: number | undefined;
  /**
   * The maximum number of jobs at a time. Default: the number of processors, at most 4. With two or more, a large JPEG
   * or PNG is decoded in a second worker while no job waits; the result is the same.
   */
  readonly concurrency?: number | undefined;
  /** Whether to load the core and warm up when the page is idle. Default: true. */
  readonly warmWhenIdle?: boolean | undefined;
  /** The URLs of the workers and modules, if they differ from those of the build. */
  readonly assets?: Assets | undefined;
}

/** The memory limit for reading a header: enough for the largest colour profile. */
const PROBE_MEMORY_BYTES = 64 << 20;

/** The memory limit for a turned copy: its coefficients take about 2 bytes per pixel of a photograph. */
const TURN_MEMORY_BYTES = 256 << 20;

export function createEngine(options: EngineOptions = {}): Engine {
  const engine = new ThreadedEngine(options);
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
  readonly #core: WasmModule;
  readonly #decoders: Decoders;
  readonly #encoders: Encoders;
  /** The headers of files that the core reads, known once a file was probed. */
  readonly #headers = new WeakMap<Blob, ImageInfo>();
  #pools: Pools | undefined;
  #isDisposed = false;

  constructor({ assets = ASSETS, memory = defaultMemory(), concurrency = defaultConcurrency() }: EngineOptions) {
    this.memory = memory;
    this.#concurrency = concurrency;
    this.#assets = assets;
    this.#core = new WasmModule(assets.core);
    this.#decoders = new Decoders(assets.decoders, memory);
    this.#encoders = new Encoders(assets.encoders);
  }

  async probe(file: Blob, { signal }: ProbeOptions = {}): Promise<Outcome<ImageInfo>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    // The image is likely to be resized soon.
    void pools.run.warm();
    const request = {
      task: { kind: 'probe', file, memory: PROBE_MEMORY_BYTES },
      memory: PROBE_MEMORY_BYTES,
      signal,
    } as const;
    const outcome = await pools.probe.run(request);
    if (!isFailed(outcome)) this.#headers.set(file, outcome);
    const format = isFailed(outcome) ? this.#decoders.formatIn(outcome) : null;
    if (format === null) return outcome;
    this.#decoders.note(file, format);
    return this.#decoders.probe(format, request);
  }

  async run(file: Blob, job: ResizeJob, options: RunOptions = {}): Promise<Outcome<ResizeResult>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    const decoder = await this.#decoders.forJob(file, job);
    if (decoder !== null && isFailed(decoder)) return decoder;
    const encoder = await this.#encoders.forJob(job);
    if (encoder !== null && isFailed(encoder)) return encoder;
    const modules = { decoder: decoder ?? undefined, encoder: encoder?.name };
    const outcome = await pools.run.run({
      ...requestFor(file, job, modules, options),
      inTwo: this.#inTwo(file, job, modules),
    });
    // Only a file that was not probed before comes here with a decoder that is not known.
    const format = isFailed(outcome) && decoder === null ? this.#decoders.formatIn(outcome) : null;
    if (format === null) return typed(outcome);
    this.#decoders.note(file, format);
    return this.run(file, job, options);
  }

  async rewriteMetadata(
    file: Blob,
    changes: CopyChanges,
    { signal }: ProbeOptions = {},
  ): Promise<Outcome<ResizeResult>> {
    const pools = await this.#prepare();
    if (isFailed(pools)) return pools;
    const unpacker = await this.#decoders.forCopy(file);
    if (unpacker !== null && isFailed(unpacker)) return unpacker;
    const memory = changes.turn === undefined ? PROBE_MEMORY_BYTES : TURN_MEMORY_BYTES;
    const task = { kind: 'rewriteMetadata', file, changes, memory, unpacker: unpacker?.name } as const;
    return typed(await pools.run.run({ task, memory, signal }));
  }

  async warm(): Promise<void> {
    const pools = await this.#prepare();
    if (!isFailed(pools)) await pools.run.warm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pools?.probe.dispose();
    this.#pools?.run.dispose();
    this.#decoders.dispose();
  }

  /** Returns the request for two workers, if a second one can make the job shorter. */
  #inTwo(file: Blob, job: ResizeJob, modules: Modules): Request<'run'>['inTwo'] {
    const header = this.#headers.get(file);
    if (modules.decoder !== undefined || header === undefined || !canDecodeApart(header, job)) return undefined;
    return requestFor(file, job, { ...modules, decoder: { name: 'core', gives: 'rows' } }, {});
  }

  /** Loads the core when it is needed for the first time. */
  async #prepare(): Promise<Outcome<Pools>> {
    const module = await this.#core.load();
    if (this.#isDisposed) return CANCELLED;
    if (isFailed(module)) return module;
    this.#pools ??= this.#makePools(module);
    return this.#pools;
  }

  #makePools(module: WebAssembly.Module): Pools {
    const { readingThread } = this.#assets;
    const spawn = () => new Worker(scriptUrl(this.#assets.worker), { type: 'module' });
    const { memory } = this;
    const startDecoder = (name: Reader) =>
      name === 'core'
        ? new Runner<'decode' | 'run'>(spawn, module, startReadingThread(readingThread))
        : this.#decoders.start(name);
    const startEncoder = (name: EncoderModule) => this.#encoders.start(name, module);
    const makeRunner = () =>
      new Chain({ core: new Runner(spawn, module, startReadingThread(readingThread)), startDecoder, startEncoder });
    return {
      // A separate pool, so that headers do not wait for images.
      probe: new Pool({ concurrency: 1, memory, makeRunner: () => new Runner(spawn, module) }),
      run: new Pool({ concurrency: this.#concurrency, memory, makeRunner }),
    };
  }
}

/** The modules outside of the core's worker that work on a job. */
type Modules = Pick<RunTask, 'decoder' | 'encoder'>;

/**
 * The request to the pool. A decoder and the core may each hold the job's memory. The memory of an encoder is a part of
 * the job's, which the core does not hold in that case.
 */
function requestFor(file: Blob, job: ResizeJob, modules: Modules, options: RunOptions): Request<'run'> {
  const { signal, onProgress, isUrgent } = options;
  const workers = modules.decoder === undefined || modules.decoder.gives === 'file' ? 1 : 2;
  const withMemory = (memory: number) =>
    ({ kind: 'run', file, job: { ...job, memory: memory / workers }, ...modules }) as const;
  const memory = job.memory * workers;
  const report = onProgress && ((fraction: number) => onProgress({ fraction }));
  return { task: withMemory(memory), memory, withMemory, isUrgent, signal, onProgress: report };
}

/** Sets the media type of the Blob. The worker does not do this, because the table of formats would make it larger. */
function typed(outcome: Outcome<ResizeResult>): Outcome<ResizeResult> {
  if (isFailed(outcome)) return outcome;
  const { blob, format } = outcome;
  return { ...outcome, blob: blob.slice(0, blob.size, FORMATS[format].mime) };
}
