// The modules that read formats which the core does not read. Each is loaded with the first file of its formats.

import { FORMATS, type Format, type Reader } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import type { ImageInfo } from '../shared/core-types.ts';
import { CANCELLED, type Failed, isFailed, type Outcome } from '../shared/failure.ts';
import type { Decoder } from '../shared/protocol.ts';
import { scriptUrl } from '../shared/script-url.ts';
import type { Assets } from './assets.ts';
import type { DecoderRunner } from './chain.ts';
import { Pool, type Request } from './pool.ts';
import { Runner } from './runner.ts';
import { WasmModule } from './wasm-module.ts';

interface LoadedModule {
  readonly worker: string;
  readonly module: WebAssembly.Module;
  readonly probes: Pool<'probe'>;
}

export class Decoders {
  readonly #assets: Assets['decoders'];
  readonly #memory: number;
  readonly #modules = new Map<Reader, WasmModule>();
  readonly #loaded = new Map<Reader, LoadedModule>();
  /** The formats of files that the core does not read, known once a file was probed or run. */
  readonly #formats = new WeakMap<Blob, Format>();
  #isDisposed = false;

  constructor(assets: Assets['decoders'], memory: number) {
    this.#assets = assets;
    this.#memory = memory;
  }

  /** The format of a file that the core recognised and another module reads; null if none does. */
  formatIn({ failure }: Failed): Format | null {
    if (failure.code !== 'unsupported') return null;
    const { reader } = FORMATS[failure.format];
    return reader !== null && this.#assets[reader] !== undefined ? failure.format : null;
  }

  /** Remembers the format of a file. */
  note(file: Blob, format: Format): void {
    this.#formats.set(file, format);
  }

  /** Reads the header of a file whose format is known. */
  async probe(format: Format, request: Request<'probe'>): Promise<Outcome<ImageInfo>> {
    const loaded = await this.#load(FORMATS[format].reader);
    return isFailed(loaded) ? loaded : loaded.probes.run(request);
  }

  /** Loads the decoder that a job needs; null where the core reads the file, as far as is known. */
  async forJob(file: Blob, { output }: ResizeJob): Promise<Outcome<Decoder> | null> {
    const format = this.#formats.get(file);
    const name = format === undefined ? null : FORMATS[format].reader;
    if (format === undefined || name === null) return null;
    const loaded = await this.#load(name);
    if (isFailed(loaded)) return loaded;
    if (!FORMATS[format].isDrawing) return { name, gives: 'rows' };
    return { name, gives: output.format === format ? 'file' : 'drawing' };
  }

  /** Loads the module that unpacks the metadata of a file, if its format can compress them; null otherwise. */
  async forCopy(file: Blob): Promise<Outcome<Pick<Decoder, 'name'>> | null> {
    const format = this.#formats.get(file);
    const name = format === undefined || FORMATS[format].packsMetadata !== true ? null : FORMATS[format].reader;
    if (name === null) return null;
    const loaded = await this.#load(name);
    return isFailed(loaded) ? loaded : { name };
  }

  /** Starts a worker of a module that `forJob` or `forCopy` has loaded. */
  start(name: Reader): DecoderRunner {
    const loaded = this.#loaded.get(name);
    if (loaded === undefined) throw new Error(`${name} is not loaded`);
    return new Runner(() => workerOf(loaded.worker), loaded.module);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const { probes } of this.#loaded.values()) probes.dispose();
  }

  async #load(name: Reader | null): Promise<Outcome<LoadedModule>> {
    const assets = name === null ? undefined : this.#assets[name];
    if (name === null || assets === undefined)
      return { failure: { code: 'part-missing', detail: `no module ${name}` } };
    const wasm = this.#modules.get(name) ?? new WasmModule(assets.wasm);
    this.#modules.set(name, wasm);
    const module = await wasm.load();
    if (this.#isDisposed) return CANCELLED;
    if (isFailed(module)) return module;
    const loaded = this.#loaded.get(name) ?? this.#with(assets.worker, module);
    this.#loaded.set(name, loaded);
    return loaded;
  }

  #with(worker: string, module: WebAssembly.Module): LoadedModule {
    const makeRunner = () => new Runner<'probe'>(() => workerOf(worker), module);
    return { worker, module, probes: new Pool({ concurrency: 1, memory: this.#memory, makeRunner }) };
  }
}

function workerOf(url: string): Worker {
  return new Worker(scriptUrl(url), { type: 'module' });
}
