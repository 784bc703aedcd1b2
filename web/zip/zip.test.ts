// Independent programs read the archives: Python's zipfile, which checks every checksum, and Info-ZIP if it is
// installed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { crc32 } from './crc32.ts';
import { type ZipEntry, zipFrame } from './zip.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const folder = mkdtempSync(path.join(tmpdir(), 'zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TIME = { year: 2026, month: 2, day: 28, hours: 13, minutes: 37, seconds: 59 };
const has = (program: string) => {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

interface File {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const entryOf = ({ path, bytes }: File): ZipEntry => ({
  path,
  byteLength: bytes.length,
  crc32: crc32(bytes),
  time: TIME,
});

function archive(name: string, files: readonly File[]): string {
  const { headers, directory, byteLength } = zipFrame(files.map(entryOf));
  const bytes = Buffer.concat([...files.flatMap((file, i) => [headers[i]!, file.bytes]), directory]);
  expect(bytes.length).toBe(byteLength);
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

function python(script: string, file: string): unknown {
  const head = 'import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n';
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync('python3', ['-c', head + script, file], options));
}

const FILES: readonly File[] = [
  { path: 'a.jpg', bytes: utf8('one') },
  { path: 'trip/day 1/写真 (2).jpg', bytes: utf8('two '.repeat(5000)) },
  { path: '🏖️.png', bytes: new Uint8Array(0) },
];

test('Python reads the same names, folders, times, sizes and checksums', () => {
  const file = archive('small.zip', FILES);
  const script =
    'print(json.dumps([z.testzip(), [[i.filename, i.date_time, i.file_size, i.compress_type] for i in z.infolist()]]))';
  expect(python(script, file)).toEqual([
    null,
    FILES.map(({ path, bytes }) => [path, [2026, 2, 28, 13, 37, 58], bytes.length, 0]),
  ]);
});

test.runIf(has('unzip'))('Info-ZIP finds no errors', () => {
  expect(execFileSync('unzip', ['-tq', archive('info.zip', FILES)], { encoding: 'utf8' })).toContain(
    'No errors detected',
  );
});

test('an archive without files is valid', () => {
  expect(python('print(json.dumps(z.namelist()))', archive('empty.zip', []))).toEqual([]);
});

test('an archive of 70 000 files stores their number in ZIP64 records', () => {
  const bytes = utf8('x');
  const files = Array.from({ length: 70_000 }, (_, i) => ({ path: `${i}.jpg`, bytes }));
  const file = archive('many.zip', files);
  const script = 'print(json.dumps([len(z.namelist()), z.read("69999.jpg").decode()]))';
  expect(python(script, file)).toEqual([70_000, 'x']);
}, 30_000);

test('readers find a file of 5 GiB and the file after it through ZIP64', async () => {
  const large: ZipEntry = { path: 'large.bmp', byteLength: 5 * 2 ** 30, crc32: 0, time: TIME };
  const small = { path: 'small.jpg', bytes: utf8('behind it') };
  const { headers, directory, byteLength } = zipFrame([large, entryOf(small)]);
  const [first, second] = headers;
  const file = path.join(folder, 'large.zip');
  // The large file is a hole in a sparse file, so the disk holds a few hundred bytes.
  const handle = await open(file, 'w');
  let at = 0;
  for (const part of [first!, large.byteLength, second!, small.bytes, directory]) {
    if (typeof part !== 'number') await handle.write(part, 0, part.length, at);
    at += typeof part === 'number' ? part : part.length;
  }
  await handle.close();
  expect(at).toBe(byteLength);
  const script =
    'print(json.dumps([[[i.file_size, i.header_offset] for i in z.infolist()], z.read("small.jpg").decode()]))';
  const sizesAndOffsets = [
    [large.byteLength, 0],
    [small.bytes.length, first!.length + large.byteLength],
  ];
  expect(python(script, file)).toEqual([sizesAndOffsets, 'behind it']);
});

test.each([
  [{ ...TIME, year: 1970 }, [1980, 1, 1]],
  [{ ...TIME, year: 2200 }, [2107, 2, 28]],
])('a year outside the range of ZIP becomes the nearest year inside it: %j', (time, date) => {
  const { headers, directory } = zipFrame([{ path: 'a', byteLength: 0, crc32: 0, time }]);
  const file = path.join(folder, 'year.zip');
  writeFileSync(file, Buffer.concat([headers[0]!, directory]));
  expect(python('print(json.dumps(z.infolist()[0].date_time[:3]))', file)).toEqual(date);
});

test('the checksum equals that of zlib at every length, in one piece and in two', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * i * 31 + i) & 0xff);
  for (let end = 0; end <= bytes.length; end += 1) {
    const part = bytes.subarray(0, end);
    const cut = Math.floor(end / 3);
    expect(crc32(part)).toBe(zlibCrc32(part));
    expect(crc32(part.subarray(cut), crc32(part.subarray(0, cut)))).toBe(zlibCrc32(part));
  }
});
