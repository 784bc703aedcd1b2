// @ts-check
// The paths of the project's tools: the environment for cargo, and for building WebAssembly in the way that
// scripts/setup chose (A: Rust has the target; B: Debian's Rust builds the standard library with the project).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const tools = path.join(root, '.tools');

/** @typedef {{ way: 'A' | 'B', rustupToolchain: string }} Toolchain */

/** @returns {Toolchain} */
function found() {
  const file = path.join(tools, 'toolchain.json');
  if (!fs.existsSync(file)) throw new Error('scripts/setup has not run yet: run `scripts/setup app`');
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/**
 * Returns the environment for cargo, for the programs of npm packages and for scripts that call them.
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv() {
  const { rustupToolchain } = found();
  const cargoBin = path.join(process.env['CARGO_HOME'] ?? path.join(os.homedir(), '.cargo'), 'bin');
  const folders = [
    path.join(tools, 'bin'),
    path.join(root, 'node_modules', '.bin'),
    cargoBin,
    process.env['PATH'] ?? '',
  ];
  return {
    ...process.env,
    PATH: folders.join(path.delimiter),
    ...(rustupToolchain === '' ? {} : { RUSTUP_TOOLCHAIN: rustupToolchain }),
  };
}

/** @returns {string} the output of `rustc --version`: version, commit and host */
export function compilerVersion() {
  return execFileSync('rustc', ['--version', '--verbose'], { cwd: root, env: wasmToolchain().env, encoding: 'utf8' });
}

/**
 * Returns the environment of wasm-pack, its arguments and, after `--`, the arguments of cargo.
 * @returns {{ way: 'A' | 'B', env: NodeJS.ProcessEnv, packArgs: string[], cargoArgs: string[] }}
 */
export function wasmToolchain() {
  const env = toolEnv();
  const { way } = found();
  if (way === 'A') return { way, env, packArgs: [], cargoArgs: [] };
  return {
    way,
    env: {
      ...env,
      PATH: `${path.join(tools, 'bin')}${path.delimiter}/usr/bin${path.delimiter}${env['PATH']}`,
      // -Z build-std is not stable yet; this allows it in a stable compiler.
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: 'wasm-ld-19',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS:
        '-C linker-flavor=wasm-ld -C target-feature=+simd128 -C llvm-args=-disable-lsr',
      // A folder of its own: two compilers in one folder would rebuild everything at each change of the way.
      CARGO_TARGET_DIR: path.join(root, 'target', 'debian'),
    },
    packArgs: ['--mode', 'force'],
    cargoArgs: ['-Z', 'build-std=std,panic_abort'],
  };
}
