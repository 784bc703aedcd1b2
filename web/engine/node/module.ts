import fs from 'node:fs';

/** Compiles the wasm file at an address beside the package's scripts. */
export function moduleAt(url: URL): WebAssembly.Module {
  return new WebAssembly.Module(fs.readFileSync(url));
}
