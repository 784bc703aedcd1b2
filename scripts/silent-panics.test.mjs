// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { wasmModules } from './modules.mjs';
import { silencePanics } from './silent-panics.mjs';
import { root } from './toolchain.mjs';

const PLACE = 1024;
const FILE = 1040;
const LENGTHS = 1060;

/** @param {number} value LEB128, below 16,384 */
const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
/** @param {number[]} content */
const part = (content) => [...leb(content.length), ...content];
/** @param {string} text */
const word = (text) => part([...Buffer.from(text)]);
/** @param {number[][]} entries */
const list = (entries) => [entries.length, ...entries.flat()];
/** @param {number} id @param {number[]} content */
const section = (id, content) => [id, ...part(content)];

const anyPanic = 'core[0123456789abcdef]::panicking::panic_bounds_check';

/**
 * A module with a function `get(index)`, which returns the third word at `LENGTHS` for index 2, and panics for indices
 * above 2 after it called the import `message`.
 * @param {{ panic?: string, returning?: string, file?: string }} names
 * @returns {Buffer}
 */
function moduleWith({
  panic = anyPanic,
  returning = 'core::panicking::panic_count::h0123456789abcdef',
  file = 'src/a-b.rs',
}) {
  const data = Buffer.alloc(80);
  data.writeUInt32LE(FILE, 0);
  data.writeUInt32LE(file.length, 4);
  data.writeUInt32LE(7, 8);
  data.writeUInt32LE(9, 12);
  data.write(file, FILE - PLACE);
  data.writeUInt32LE(300, LENGTHS - PLACE + 8);
  // local.get 0, i32.const 3, i32.ge_u, if, call 1, end; local.get 0, i32.const 4, i32.mul, i32.load LENGTHS, end
  const get = [
    0,
    0x20,
    0,
    0x41,
    3,
    0x4f,
    0x04,
    0x40,
    0x10,
    1,
    0x0b,
    0x20,
    0,
    0x41,
    4,
    0x6c,
    0x28,
    2,
    ...leb(LENGTHS),
    0x0b,
  ];
  const bodies = [[0, 0x10, 0, 0x00, 0x0b], get, [0, 0x0b]].map(part);
  const names = [panic, 'get', returning].map((name, n) => [n + 1, ...word(name)]);
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      list([
        [0x60, 0, 0],
        [0x60, 1, 0x7f, 1, 0x7f],
      ]),
    ),
    ...section(2, list([[...word('host'), ...word('message'), 0, 0]])),
    ...section(3, list([[0], [1], [0]])),
    ...section(5, list([[0, 1]])),
    ...section(
      7,
      list([
        [...word('get'), 0, 2],
        [...word('count'), 0, 3],
        [...word('memory'), 2, 0],
      ]),
    ),
    ...section(10, list(bodies)),
    ...section(11, list([[0, 0x41, ...leb(PLACE), 0x0b, ...part([...data])]])),
    ...section(0, [...word('name'), 1, ...part(list(names))]),
  ]);
}

/** @param {Buffer} bytes */
function instance(bytes) {
  /** @type {number[]} */
  const calls = [];
  const host = { message: () => calls.push(0) };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { host });
  const { get, count, memory } = /** @type {{ get(n: number): number, count(): void, memory: WebAssembly.Memory }} */ (
    /** @type {unknown} */ (exports)
  );
  return { get, count, memory: Buffer.from(memory.buffer), messages: () => calls.length };
}

test('a panic traps without its message, and the check that leads to it stays', () => {
  const before = instance(moduleWith({}));
  expect(() => before.get(3)).toThrow(WebAssembly.RuntimeError);
  expect(before.messages()).toBe(1);

  const { bytes, functions, files } = silencePanics(moduleWith({}));
  expect({ functions, files }).toEqual({ functions: [anyPanic], files: ['src/a-b.rs'] });
  const { get, count, memory, messages } = instance(bytes);
  expect(get(2)).toBe(300);
  expect(() => get(3)).toThrow(WebAssembly.RuntimeError);
  expect(messages()).toBe(0);
  expect(memory.subarray(PLACE, FILE + 20).every((byte) => byte === 0)).toBe(true);
  // A function that returns stays.
  count();
});

test.each([
  '<alloc[0123456789abcdef]::vec::Vec<_, _>>::insert_mut::assert_failed',
  'core[0123456789abcdef]::panicking::assert_failed::<usize, usize>',
  'core::panicking::assert_failed::h0123456789abcdef',
  'core[0123456789abcdef]::option::unwrap_failed',
  'core[0123456789abcdef]::slice::index::slice_index_fail.12',
  'std[0123456789abcdef]::panicking::panic_handler::{closure#0}',
  'std[0123456789abcdef]::sys::backtrace::__rust_end_short_backtrace::<std[0123456789abcdef]::alloc::rust_oom::{closure#0}, !>',
  '__rustc[0123456789abcdef]::rust_begin_unwind',
])('%s only panics', (panic) => {
  expect(silencePanics(moduleWith({ panic })).functions).toEqual([panic]);
});

test.each([
  'codec::panicking::read',
  'codec::option::unwrap_failed',
  '<core[0123456789abcdef]::cell::BorrowError as core[0123456789abcdef]::fmt::Debug>::panic_fmt',
  'core[0123456789abcdef]::fmt::write',
])('a module whose only panic is called %s is refused', (panic) => {
  expect(() => silencePanics(moduleWith({ panic }))).toThrow('no panic was found');
});

test('a module without places or without names is refused', () => {
  expect(() => silencePanics(moduleWith({ file: 'plain text' }))).toThrow('no panic was found');
  const nameless = moduleWith({});
  nameless.write('nome', nameless.lastIndexOf('name'));
  expect(() => silencePanics(nameless)).toThrow('no names');
});

test.each(wasmModules.filter(({ silentPanics }) => silentPanics))(
  '$name contains no name of a file of a dependency',
  (module) => {
    const bytes = fs.readFileSync(path.join(root, module.out, `${module.name}_bg.wasm`));
    expect(bytes.toString('latin1').match(/(rustc|registry)\/[\w/.-]+\.rs/g)).toBeNull();
  },
);
