// File names that every file system accepts, and unique paths.
import { describe, expect, test } from 'vitest';
import { folderOf, keepApart, type OutputFacts, patternProblem, resultName, splitName } from './naming.ts';

const RESULT: OutputFacts = {
  originalName: 'IMG_0012.JPG',
  size: { width: 1920, height: 1440 },
  format: 'jpeg',
  index: 7,
  count: 24,
  date: '2026-02-28',
};
const named = (originalName: string, pattern = '{name}-{w}x{h}', changes: Partial<OutputFacts> = {}) =>
  resultName(pattern, { ...RESULT, originalName, ...changes });

test.each([
  ['{name}-{w}x{h}', 'IMG_0012-1920x1440.JPG'],
  ['{name}', 'IMG_0012.JPG'],
  ['{n}', '07.JPG'],
  ['{date} {name}', '2026-02-28 IMG_0012.JPG'],
  ['{name}.{format}', 'IMG_0012.jpg.JPG'],
  ['{name}{name}', 'IMG_0012IMG_0012.JPG'],
  ['holiday', 'holiday.JPG'],
  ['', 'IMG_0012.JPG'],
  ['   ', 'IMG_0012.JPG'],
  ['{W} {name', '{W} {name.JPG'],
  ['a/b\\c:{w}', 'a_b_c_1920.JPG'],
])('the pattern %j gives %j', (pattern, name) => {
  expect(named('IMG_0012.JPG', pattern)).toBe(name);
});

test('a cursor that is written as an icon gets the extension of icons', () => {
  expect(named('arrow.CUR', '{name}', { format: 'ico' })).toBe('arrow.ico');
  expect(named('ARROW.ICO', '{name}', { format: 'ico' })).toBe('ARROW.ICO');
});

test.each([
  ['photo', 'photo-1920x1440.jpg'],
  ['a.b.c.jpeg', 'a.b.c-1920x1440.jpeg'],
  ['.jpg', 'image.jpg'],
  ['.hidden.jpg', '.hidden.jpg'],
  ['scan 2.0', 'scan 2.0-1920x1440.jpg'],
  ['really a jpeg.png', 'really a jpeg-1920x1440.jpg'],
  ['写真.jpg', '写真-1920x1440.jpg'],
  ['🏖️ été.jpg', '🏖️ été-1920x1440.jpg'],
  ['<img src=x onerror=alert(1)>.jpg', '_img src=x onerror=alert(1)_-1920x1440.jpg'],
  ['what?.jpg', 'what_-1920x1440.jpg'],
  ['tab\there.jpg', 'tab_here-1920x1440.jpg'],
  ['photo\u202egpj.exe.jpg', 'photogpj.exe-1920x1440.jpg'],
])('%j becomes %j', (original, name) => {
  const pattern = original.startsWith('.') ? '{name}' : undefined;
  expect(named(original, pattern)).toBe(name);
});

test('a file name that is only an extension gets a default stem', () => {
  expect(named('.jpg')).toBe('image-1920x1440.jpg');
});

test.each([
  ['con.jpg', '_con.jpg'],
  ['CON.jpg', '_CON.jpg'],
  ['nul.tar.jpg', '_nul.tar.jpg'],
  ['com1.jpg', '_com1.jpg'],
  ['LPT³.jpg', '_LPT³.jpg'],
  ['console.jpg', 'console.jpg'],
  ['com10.jpg', 'com10.jpg'],
  ['ends with dots....jpg', 'ends with dots.jpg'],
  ['ends with a space .jpg', 'ends with a space.jpg'],
  ['  starts with spaces.jpg', 'starts with spaces.jpg'],
  ['... .jpg', 'image.jpg'],
])('%j becomes %j, which Windows accepts', (original, name) => {
  expect(named(original, '{name}')).toBe(name);
});

test('a result in another format gets the extension of that format', () => {
  expect(named('photo.JPG', '{name}', { format: 'png' })).toBe('photo.png');
  expect(named('photo.dib', '{name}', { format: 'bmp' })).toBe('photo.dib');
});

test('numbers have as many digits as the last one', () => {
  const at = (index: number, count: number) => named('a.jpg', '{n}', { index, count });
  expect([at(1, 9), at(1, 10), at(10, 10), at(5, 1000)]).toEqual(['1.jpg', '01.jpg', '10.jpg', '0005.jpg']);
});

test.each(['a', 'é', '写', '🏖'])(
  'a name of 400 × %j is cut between characters, and the size in it stays',
  (character) => {
    const name = named(`${character.repeat(400)}.jpg`);
    expect(Buffer.from(name).length).toBeLessThanOrEqual(239);
    expect(Buffer.from(name).length).toBeGreaterThan(230);
    expect(name).toMatch(new RegExp(`^${character}+-1920x1440\\.jpg$`, 'u'));
  },
);

test('a result of a pattern that is too long is cut', () => {
  expect(Buffer.from(named('a.jpg', 'x'.repeat(500))).length).toBeLessThanOrEqual(239);
});

test.each([
  ['photo', 'photo', ''],
  ['a.b.c.png', 'a.b.c', 'png'],
  ['.png', '', 'png'],
  ['photo.', 'photo.', ''],
  ['2024.01.02', '2024.01.02', ''],
  ['x.HEIC', 'x', 'HEIC'],
])('%j has the stem %j and the extension %j', (name, stem, extension) => {
  expect(splitName(name)).toEqual({ stem, extension });
});

test.each([
  ['a.jpg', ''],
  ['trip/a.jpg', 'trip'],
  ['trip/day 1/a.jpg', 'trip/day 1'],
  ['/trip//./day 1/../a.jpg', 'trip/day 1'],
  ['..\\..\\etc\\a.jpg', 'etc'],
  ['aux/nice?/a.jpg', '_aux/nice_'],
  ['.../a.jpg', '_'],
])('the folder of %j is %j', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

describe('the unique paths of', () => {
  test.each([
    [
      ['a.jpg', 'b.jpg'],
      ['a.jpg', 'b.jpg'],
    ],
    [
      ['a.jpg', 'a.jpg', 'a.jpg'],
      ['a.jpg', 'a (2).jpg', 'a (3).jpg'],
    ],
    [
      ['a.jpg', 'A.JPG'],
      ['a.jpg', 'A (2).JPG'],
    ],
    [
      ['\u00e9.jpg', 'e\u0301.jpg'],
      ['\u00e9.jpg', 'e\u0301 (2).jpg'],
    ],
    [
      ['x/a.jpg', 'y/a.jpg'],
      ['x/a.jpg', 'y/a.jpg'],
    ],
    [
      ['a.jpg', 'a.jpg', 'a (2).jpg'],
      ['a.jpg', 'a (3).jpg', 'a (2).jpg'],
    ],
    [
      ['a', 'a', 'v1.0/a', 'v1.0/a'],
      ['a', 'a (2)', 'v1.0/a', 'v1.0/a (2)'],
    ],
  ])('%j', (paths, apart) => {
    expect(keepApart(paths)).toEqual(apart);
  });

  test('20 000 equal names become unique', () => {
    const apart = keepApart(new Array<string>(20_000).fill('IMG.jpg'));
    expect(new Set(apart).size).toBe(20_000);
    expect(apart.at(-1)).toBe('IMG (20000).jpg');
  });
});

describe('a pattern', () => {
  test.each([
    ['{name}-{w}x{h}', 9, null],
    ['', 9, null],
    ['photo {n}', 9, null],
    ['{Name}', 9, { code: 'unknown-token', token: '{Name}' }],
    ['{name} {size}', 1, { code: 'unknown-token', token: '{size}' }],
    ['{name', 9, { code: 'same-names' }],
    ['web/{name}', 9, { code: 'invalid-character', character: '/' }],
    ['{name}?', 1, { code: 'invalid-character', character: '?' }],
    ['photo', 9, { code: 'same-names' }],
    ['photo', 1, null],
    ['{w}x{h} {date} {format}', 2, { code: 'same-names' }],
  ])('%j for %i files: %j', (pattern, files, problem) => {
    expect(patternProblem(pattern, files)).toEqual(problem);
  });
});
