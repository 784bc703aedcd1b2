import { describe, expect, it } from 'vitest';
import type { ResizeResult } from '../../engine/index.ts';
import { crc32 } from '../../zip/crc32.ts';
import type { Item } from '../state/item.ts';
import { makeDownload } from './archive.ts';
import { filesToSave, flattened } from './files.ts';

const NOW = new Date(2026, 1, 28, 12, 30, 10);
/** The date of the originals. */
const TAKEN = new Date(2019, 6, 4, 9, 8, 6);
const PATTERN = '{name}-{w}x{h}';
const info = {
  format: 'jpeg',
  width: 4000,
  height: 3000,
  frames: 1,
  sequence: 'single',
  frameSizes: [],
  metadata: 'none',
  depth: 8,
  storedDepth: 8,
  channels: 3,
  orientation: 1,
  icc: false,
  alpha: false,
  quality: null,
  workingSet: 0,
  hasPalette: false,
  hasGainMap: false,
  warnings: [],
} as const;

let lastId = 0;
function itemAt(path: string, text: string): Omit<Item, 'phase'> {
  lastId += 1;
  return {
    id: lastId,
    path,
    info,
    staysAnimated: false,
    file: new File([text], path.split('/').at(-1) ?? '', { lastModified: TAKEN.getTime() }),
  };
}

function resultOf(text: string): ResizeResult {
  const blob = new Blob([text]);
  return {
    blob,
    format: 'jpeg',
    width: 1920,
    height: 1440,
    frames: 1,
    byteLength: blob.size,
    crc32: crc32(new TextEncoder().encode(text)),
    warnings: [],
    memory: 0,
  };
}

function done(path: string, first: string, ...more: string[]): Item {
  const made = (text: string, frame: number) => ({ ...resultOf(text), frame });
  const results = [made(first, 0), ...more.map((text, i) => made(text, i + 1))] as const;
  return { ...itemAt(path, 'the original'), phase: { phase: 'done', outputs: results, resultKey: '', saved: false } };
}

/** Makes an icon whose entries became PNGs: the side of each entry and of its result. */
function split(path: string, ...entries: readonly (readonly [own: number, result: number])[]): Item {
  const frameSizes = entries.map(([side]) => ({ width: side, height: side }));
  const icon = { ...info, format: 'ico', sequence: 'sizes', frames: entries.length, frameSizes } as const;
  const made = entries.map(([, side], frame) => {
    return { ...resultOf(String(frame)), format: 'png' as const, width: side, height: side, frame };
  });
  const [first, ...more] = made;
  if (first === undefined) throw new Error('an icon has entries');
  const phase = { phase: 'done', outputs: [first, ...more], resultKey: '', saved: false } as const;
  return { ...itemAt(path, 'the original'), info: icon, phase };
}

function kept(path: string, text: string): Item {
  return {
    ...itemAt(path, text),
    phase: { phase: 'kept', reason: 'already-smaller', rewrittenFor: null, resultKey: '', result: null },
  };
}

const ready = (path: string): Item => ({ ...itemAt(path, ''), phase: { phase: 'ready' } });

describe('the files to save', () => {
  it('have unique names from the pattern, in the folders of their originals', () => {
    const items = [done('trip/a.jpg', '1'), done('trip/a.jpg', '2'), ready('b.jpg'), kept('trip/c.png', '3')];
    expect(filesToSave(items, PATTERN, NOW).map(({ path }) => path)).toEqual([
      'trip/a-1920x1440.jpg',
      'trip/a-1920x1440 (2).jpg',
      'trip/c.png',
    ]);
  });

  it('of a file with pages have page numbers with leading zeros', () => {
    const pages = Array.from({ length: 10 }, (_, page) => String(page));
    const item = { ...done('scan.tif', 'a', ...pages), info: { ...info, frames: 11, sequence: 'pages' as const } };
    const paths = filesToSave([item], PATTERN, NOW).map(({ path }) => path);
    expect(paths).toHaveLength(11);
    expect([paths[0], paths[10]]).toEqual(['scan-p01-1920x1440.jpg', 'scan-p11-1920x1440.jpg']);
  });

  it('of several widths differ by their size, or else by a width at the end', () => {
    const item = done('a.jpg', '1', '2');
    if (item.phase.phase !== 'done') throw new Error('no results');
    const [wide, narrow] = item.phase.outputs;
    if (narrow === undefined) throw new Error('one result');
    const outputs = [
      { ...wide, frame: 0 },
      { ...narrow, width: 480, height: 360, frame: 0 },
    ] as const;
    const several: Item = { ...item, phase: { ...item.phase, outputs } };
    const pathsOf = (pattern: string) => filesToSave([several], pattern, NOW).map(({ path }) => path);
    expect(pathsOf(PATTERN)).toEqual(['a-1920x1440.jpg', 'a-480x360.jpg']);
    expect(pathsOf('{name}')).toEqual(['a-1920.jpg', 'a-480.jpg']);
  });

  it("of an icon's entries differ by their size, or else by the size of the entry", () => {
    const pathsOf = (item: Item) => filesToSave([item], PATTERN, NOW).map(({ path }) => path);
    expect(pathsOf(split('app.ico', [48, 48], [16, 16]))).toEqual(['app-48x48.png', 'app-16x16.png']);
    expect(pathsOf(split('app.ico', [48, 16], [16, 16]))).toEqual(['app-48px-16x16.png', 'app-16px-16x16.png']);
    // Two entries of one size with different depths.
    const twins = ['app-16px-16x16.png', 'app-16px-16x16 (2).png'];
    expect(pathsOf(split('app.ico', [16, 16], [16, 16]))).toEqual(twins);
    expect(pathsOf(split('app.ico', [48, 16]))).toEqual(['app-16x16.png']);
  });

  it('with rewritten metadata keep the name of the original', () => {
    const item = kept('trip/c.png', '3');
    const result = resultOf('without the place');
    const relabelled: Item = {
      ...item,
      phase: { phase: 'kept', reason: 'same-size', rewrittenFor: 'remove', resultKey: '', result },
    };
    expect(filesToSave([relabelled], PATTERN, NOW)).toMatchObject([
      { path: 'trip/c.png', blob: result.blob, crc32: result.crc32 },
    ]);
  });

  it('have the dates of their originals', () => {
    const files = filesToSave([done('a.jpg', 'x'), kept('b.jpg', 'y')], PATTERN, NOW);
    expect(files.map(({ modified }) => modified)).toEqual([TAKEN, TAKEN]);
  });

  it('use the checksum from the core for files that the core wrote', () => {
    const [made, original] = filesToSave([done('a.jpg', 'x'), kept('b.jpg', 'y')], PATTERN, NOW);
    expect(made?.crc32).toBe(crc32(new TextEncoder().encode('x')));
    expect(original?.crc32).toBeNull();
  });
});

describe('files without their folders', () => {
  it('have different names', () => {
    const files = filesToSave([done('trip/a.jpg', '1'), done('home/a.jpg', '2')], PATTERN, NOW);
    expect(flattened(files).map(({ name }) => name)).toEqual(['a-1920x1440.jpg', 'a-1920x1440 (2).jpg']);
  });
});

describe('a download', () => {
  it('of one result is that result', async () => {
    const item = done('trip/a.jpg', 'pixels');
    const file = await makeDownload(filesToSave([item], PATTERN, NOW));
    expect(file.name).toBe('a-1920x1440.jpg');
    expect(item.phase.phase === 'done' && file.blob === item.phase.outputs[0].blob).toBe(true);
  });

  it('of several results is an archive with every byte and checksum', async () => {
    const items = [done('a.jpg', 'first'), kept('b.jpg', 'second, an original')];
    const file = await makeDownload(filesToSave(items, PATTERN, NOW));
    expect(file.name).toBe('resized-images.zip');
    const bytes = new DataView(await file.blob.arrayBuffer());
    const entries = readArchive(bytes);
    expect(entries).toEqual([
      { name: 'a-1920x1440.jpg', text: 'first', crc32: crc32(new TextEncoder().encode('first')) },
      { name: 'b.jpg', text: 'second, an original', crc32: crc32(new TextEncoder().encode('second, an original')) },
    ]);
  });
});

/** Reads an archive by its central directory, as unpackers do; independent of the code under test. */
function readArchive(bytes: DataView): { name: string; text: string; crc32: number }[] {
  const textAt = (offset: number, length: number) =>
    new TextDecoder().decode(bytes.buffer.slice(offset, offset + length));
  const end = bytes.byteLength - 22;
  if (bytes.getUint32(end, true) !== 0x0605_4b50) throw new Error('no end of central directory');
  const entries = [];
  let at = bytes.getUint32(end + 16, true);
  for (let i = 0; i < bytes.getUint16(end + 10, true); i += 1) {
    const nameLength = bytes.getUint16(at + 28, true);
    const local = bytes.getUint32(at + 42, true);
    const data = local + 30 + bytes.getUint16(local + 26, true) + bytes.getUint16(local + 28, true);
    const text = textAt(data, bytes.getUint32(at + 24, true));
    entries.push({ name: textAt(at + 46, nameLength), text, crc32: bytes.getUint32(at + 16, true) });
    at += 46 + nameLength + bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true);
  }
  return entries;
}
