import { expect, test } from 'vitest';
import { acceptedFiles, FORMATS, formatOfExtension, isWritable, WRITABLE_FORMATS } from './formats.ts';

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
])('the extension %j belongs to %j', (extension, format) => {
  expect(formatOfExtension(extension)).toBe(format);
});

test('a file input accepts the readable formats and, last, every other image', () => {
  expect(acceptedFiles()).toBe(
    '.jpg,.jpeg,.jpe,.jfif,.png,.apng,.tif,.tiff,.bmp,.dib,.ico,.cur,.gif,.webp,.avif,.avifs,.jxl,.svg,.svgz,.heic,.heif,.qoi,.pnm,.pbm,.pgm,.ppm,.pam,.tga,image/*',
  );
  expect(isWritable('bmp')).toBe(true);
  expect(isWritable('heic')).toBe(false);
});

test('only drawings are written as SVG', () => {
  expect(isWritable('svg')).toBe(true);
  expect(WRITABLE_FORMATS).not.toContain('svg');
});
