// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cratesBehind, sharedInputs } from './build-wasm.mjs';
import { hashOf } from './fingerprint.mjs';
import { root } from './toolchain.mjs';

/** @type {string} */
let base;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'fingerprint-'));
  write('.gitignore', '# made by tools\ntarget/\nweb/engine/core/\n*.tsbuildinfo\n');
  write('web/engine/pool.ts', 'one');
});
afterEach(() => fs.rmSync(base, { recursive: true }));

/** @param {string} file @param {string} content */
function write(file, content) {
  fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
  fs.writeFileSync(path.join(base, file), content);
}

const hash = (generated = false) => hashOf(['web', 'crates', 'package.json'], { base, generated });

test.each([
  ['a changed file', 'web/engine/pool.ts'],
  ['a new file', 'web/app/new.ts'],
  ['a file that was absent', 'package.json'],
  ['a folder with the name of a generated folder elsewhere', 'crates/core/src/lib.rs'],
  ['another folder of that name', 'web/domain/core/sizing.ts'],
])('%s changes the hash', (_, file) => {
  const before = hash();
  write(file, 'two');
  expect(hash()).not.toBe(before);
});

test.each([
  ['a generated folder, by its path', 'web/engine/core/core.js'],
  ['a generated folder, by its name, at any depth', 'crates/fuzz/target/debug/fuzz'],
  ['the history', 'web/.git/HEAD'],
])('%s changes the hash only with `generated`', (_, file) => {
  const [inputs, outputs] = [hash(), hash(true)];
  write(file, 'two');
  expect(hash()).toBe(inputs);
  expect(hash(true)).not.toBe(outputs);
});

test('moving a file changes the hash; writing the same content does not', () => {
  const before = hash();
  write('web/engine/pool.ts', 'one');
  expect(hash()).toBe(before);
  fs.renameSync(path.join(base, 'web/engine/pool.ts'), path.join(base, 'web/engine/runner.ts'));
  expect(hash()).not.toBe(before);
});

test('the inputs of the WebAssembly build include everything that determines its bytes', () => {
  const required = [
    'Cargo.toml',
    'Cargo.lock',
    '.cargo/config.toml',
    'rust-toolchain.toml',
    'package-lock.json',
    'scripts/build-wasm.mjs',
    'scripts/toolchain.mjs',
  ];
  expect(sharedInputs).toEqual(expect.arrayContaining(required));
  for (const input of sharedInputs) expect(fs.existsSync(path.join(root, input)), input).toBe(true);
});

test('a module is built again when a crate behind it changes, and only then', () => {
  const folders = cratesBehind('crates/wasm');
  expect(folders).toEqual(
    expect.arrayContaining(['crates/wasm', 'crates/pipeline', 'crates/codec-png', 'crates/simd']),
  );
  // `testkit` is a dependency of tests only.
  for (const other of ['crates/cli', 'crates/testkit', 'crates/fuzz']) expect(folders).not.toContain(other);
});
