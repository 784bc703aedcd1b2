import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0Bytes'],
  [1, '1Bytes'],
  [1023, '1023Bytes'],
  [1024, '1KB'],
  [1536, '1.5KB'],
  [1234, '1.21KB'],
  [1048575, '1024KB'],
  [1048576, '1MB'],
  [101082726, '96.4MB'],
  [1024 ** 3, '1GB'],
  [1024 ** 4, '1TB'],
  [1024 ** 5, '1PB'],
  [1024 ** 6, '1EB'],
  [1024 ** 7, '1ZB'],
  [1024 ** 8, '1YB'],
  [1024 ** 9, '1024YB'],
  [0.5, '0.5Bytes'],
  [-1, '0Bytes'],
  [Number.NaN, '0Bytes'],
  [Number.POSITIVE_INFINITY, '0Bytes'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [1234, 0, '1KB'],
  [1234, 1, '1.2KB'],
  [1234, 3, '1.205KB'],
  [1234, -2, '1KB'],
  [1536, 5, '1.5KB'],
])('%d to %d decimals is %s', (bytes, decimals, text) => {
  expect(formatBytes(bytes, decimals)).toBe(text);
});
