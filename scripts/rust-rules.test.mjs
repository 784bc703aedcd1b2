// @ts-check
import { expect, test } from 'vitest';
import { tooLong } from './rust-rules.mjs';

/** @param {number} count */
const lines = (count) => '// a line\n'.repeat(count);
const testModule = `#[cfg(test)]\nmod tests {\n${lines(300)}}\n`;

test.each([
  ['a line of 121 columns', 'crates/simd/src/lib.rs', `fn a() {}\n//${'x'.repeat(119)}\n`, 'lib.rs:2: 121 columns'],
  ['a line of 121 columns in a test', 'crates/simd/tests/it/main.rs', 'x'.repeat(121), 'main.rs:1: 121 columns'],
  ['a file of 401 lines', 'crates/simd/src/lib.rs', lines(401), '401 lines'],
  ['401 lines before the tests', 'crates/simd/src/lib.rs', lines(401) + testModule, '401 lines'],
  ['a test helper before 401 lines', 'crates/simd/src/lib.rs', `#[cfg(test)]\nfn a() {}\n${lines(399)}`, '401 lines'],
])('%s is too long', (_, file, source, message) => {
  expect(tooLong(file, source)).toEqual([expect.stringContaining(message)]);
});

test.each([
  ['a line of 120 columns', 'crates/simd/src/lib.rs', 'x'.repeat(120)],
  ['120 characters of four bytes', 'crates/simd/src/lib.rs', '😀'.repeat(120)],
  ['400 lines before the tests', 'crates/simd/src/lib.rs', lines(400) + testModule],
  ['an integration test of 401 lines', 'crates/simd/tests/it/main.rs', lines(401)],
])('%s is short enough', (_, file, source) => {
  expect(tooLong(file, source)).toEqual([]);
});
