// A wasm module as compiled by the page. The page compiles it once and sends it to every worker, so that all workers
// share the code that the browser has optimised.

import type { Outcome } from '../shared/failure.ts';

/** `(module (func (result v128) (v128.const 0…)))`: compiles only in a browser with 128-bit SIMD. */
const SIMD_PROOF = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0], // the magic word and version 1
  ...[1, 5, 1, 96, 0, 1, 123], // one type: () → v128
  ...[3, 2, 1, 0], // one function of it
  ...[10, 22, 1, 20, 0, 253, 12, ...new Array<number>(16).fill(0), 11], // its body: v128.const 0, end
]);

export class WasmModule {
  readonly #url: string;
  #loading: Promise<Outcome<WebAssembly.Module>> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Loads and compiles the module once. After a failure the next call tries again. */
  load(): Promise<Outcome<WebAssembly.Module>> {
    this.#loading ??= loadModule(this.#url).then((outcome) => {
      if ('failure' in outcome) this.#loading = undefined;
      return outcome;
    });
    return this.#loading;
  }
}

async function loadModule(url: string): Promise<Outcome<WebAssembly.Module>> {
  try {
    // Fails without WebAssembly, without SIMD, and if a policy or a setting forbids compilation.
    await WebAssembly.compile(SIMD_PROOF);
  } catch (error) {
    return { failure: { code: 'wasm-unavailable', detail: String(error) } };
  }
  try {
    return await compile(url);
  } catch (error) {
    return { failure: { code: 'part-missing', detail: String(error) } };
  }
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  // compileStreaming() requires the media type, which some servers do not send.
  const isStreamable = response.headers.get('Content-Type')?.split(';')[0] === 'application/wasm';
  return isStreamable ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
