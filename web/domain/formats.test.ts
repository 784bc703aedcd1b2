import { expect, test } from 'vitest';
import { acceptedFiles, FORMATS, formatOfExtension, isWritable } from './formats.ts';

test('no two formats share an extension', () => {
  const all = Object.values(FORMATS).flatMap(({ extensions }) => extensions);
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ['JPG', 'jpeg'],
  ['jfif', 'jpeg'],
  ['Tif', 'tiff'],
  ['heif', 'heic'],
  ['txt', null],
  ['', null],
  ['constructor', null],
])('%j stands for %j', (extension, format) => {
  expect(formatOfExtension(extension)).toBe(format);
});

test('a file input is told what works today, and that other images may be tried', () => {
  expect(acceptedFiles()).toBe('.jpg,.jpeg,.jpe,.jfif,.png,.apng,.tif,.tiff,.bmp,.dib,.ico,.cur,image/*');
  expect(isWritable('bmp')).toBe(true);
  expect(isWritable('gif')).toBe(false);
});
