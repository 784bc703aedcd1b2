// The modules that encode pictures which the core does not encode. Each is loaded for the first file of its formats.

import { type EncoderModule, encoderModuleOf } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { isFailed, type Outcome } from '../shared/failure.ts';
import { scriptUrl } from '../shared/script-url.ts';
import type { Assets } from './assets.ts';
import { Runner } from './runner.ts';
import { WasmModule } from './wasm-module.ts';

export class Encoders {
  readonly #assets: Assets['encoders'];
  readonly #modules = new Map<EncoderModule, WasmModule>();
  readonly #loaded = new Map<EncoderModule, WebAssembly.Module>();

  constructor(assets: Assets['encoders']) {
    this.#assets = assets;
  }

  /** Loads the module that a job needs; null where the core encodes the pictures. */
  async forJob({ output }: ResizeJob): Promise<Outcome<{ readonly name: EncoderModule }> | null> {
    const name = encoderModuleOf(output.format);
    if (name === undefined) return null;
    const wasm = this.#modules.get(name) ?? new WasmModule(this.#assets[name].wasm);
    this.#modules.set(name, wasm);
    const module = await wasm.load();
    if (isFailed(module)) return module;
    this.#loaded.set(name, module);
    return { name };
  }

  /** Starts a worker of a module that `forJob` has loaded. It runs the core, too. */
  start(name: EncoderModule, core: WebAssembly.Module): Runner<'encode'> {
    const library = this.#loaded.get(name);
    if (library === undefined) throw new Error(`${name} is not loaded`);
    const spawn = () => new Worker(scriptUrl(this.#assets[name].worker), { type: 'module' });
    return new Runner(spawn, core, null, library);
  }
}
