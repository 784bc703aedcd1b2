// Files in and out of a worker: equal bytes, few round trips, and patches at every position.
import { afterAll, describe, expect, test } from 'vitest';
import { ASSETS } from '../page/assets.ts';
import { startReadingThread } from '../page/reading-thread.ts';
import workerUrl from '../testing/streams.worker.ts?worker&url';
import type { ReadAnswer, ReadOrder, StartOrder, WriteAnswer, WriteOrder } from '../testing/streams-protocol.ts';

const worker = new Worker(workerUrl, { type: 'module' });
const thread = startReadingThread(ASSETS.readingThread);
const readingThread = thread?.port ?? null;
worker.postMessage(
  { kind: 'start', readingThread } satisfies StartOrder,
  readingThread === null ? [] : [readingThread],
);
afterAll(() => {
  worker.terminate();
  thread?.terminate();
});

function ask<Answer>(order: ReadOrder | WriteOrder): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (typeof data === 'string' ? reject(new Error(data)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(order);
  });
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Returns pseudo-random bytes, in which no two ranges are equal. */
function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

const bytes = noise(3 * MIB + 12_345);
const file = new File([bytes], 'noise.bin');

/** Compares bytes; `toEqual` takes seconds for megabytes. */
function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

describe('a source', () => {
  test('returns any range of the file, and no bytes after its end', async () => {
    const reads = [
      { offset: 0, length: 10 },
      { offset: 1000, length: 2 * MIB },
      { offset: 5, length: 1 },
      { offset: bytes.length - 3, length: 10 },
      { offset: bytes.length, length: 10 },
      { offset: 2 ** 40, length: 10 },
    ];
    const { pieces } = await ask<ReadAnswer>({ kind: 'read', file, reads });
    reads.forEach(({ offset, length }, i) => {
      const want = bytes.subarray(offset, offset + length);
      // Fewer bytes than requested are allowed; none before the end is not.
      expect(areSame(pieces[i]!, want.subarray(0, pieces[i]!.length))).toBe(true);
      expect(pieces[i]!.length > 0).toBe(want.length > 0);
    });
  });

  test('reads only the requested bytes of a header', async () => {
    const { pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads: [{ offset: 0, length: 128 * KIB }] });
    expect(pulls).toEqual([128 * KIB]);
  });

  test('reads ahead if a file is read forwards', async () => {
    const reads = Array.from({ length: 20 }, (_, i) => ({ offset: i * 128 * KIB, length: 128 * KIB }));
    const { pieces, pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads });
    expect(areSame(new Uint8Array(await new Blob(pieces).arrayBuffer()), bytes.subarray(0, 2.5 * MIB))).toBe(true);
    expect(pulls).toEqual([128 * KIB, MIB, Math.min(bytes.length - MIB - 128 * KIB, 2 * MIB)]);
  });

  test('reads further and further ahead, up to 8 MiB', async () => {
    const reads = Array.from({ length: 24 * 8 }, (_, i) => ({ offset: i * 128 * KIB, length: 128 * KIB }));
    const large = new Blob([new Uint8Array(24 * MIB)]);
    const { pulls } = await ask<ReadAnswer>({ kind: 'read', file: large, reads });
    expect(pulls.map((size) => size / MIB)).toEqual([1 / 8, 1, 2, 4, 8, 8, 7 / 8]);
  });

  test('reads ahead backwards too, up to the start, with requests that overlap by a part of a row', async () => {
    const step = 127 * KIB;
    const reads = Array.from({ length: 12 }, (_, i) => ({ offset: (11 - i) * step, length: 128 * KIB }));
    const { pieces, pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads });
    reads.forEach(({ offset, length }, i) => {
      expect(areSame(pieces[i]!, bytes.subarray(offset, offset + length))).toBe(true);
    });
    // The second read ends with the second request and starts inside the tenth; the third starts at the start of the
    // file.
    expect(pulls).toEqual([128 * KIB, MIB, 2 * step + 128 * KIB]);
  });

  test('reads only the requested bytes if several cursors alternate', async () => {
    const cursors = [0, MIB, 2 * MIB];
    const reads = Array.from({ length: 4 }, (_, i) =>
      cursors.map((start) => ({ offset: start + i * 64 * KIB, length: 64 * KIB })),
    ).flat();
    const { pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads });
    expect(pulls).toEqual(reads.map(({ length }) => length));
  });

  test('reads nothing twice, for example the scans of a progressive JPEG after the search for them', async () => {
    const piece = 128 * KIB;
    const search = Array.from({ length: 24 }, (_, i) => ({ offset: i * piece, length: piece }));
    const scans = [0, 5, 9, 17, 1, 6, 10, 18].map((i) => ({ offset: i * piece + 77, length: piece }));
    const { pieces, pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads: [...search, ...scans] });
    expect(pulls).toEqual([piece, MIB, bytes.length - MIB - piece]);
    scans.forEach(({ offset }, i) => {
      const got = pieces[search.length + i]!;
      expect(areSame(got, bytes.subarray(offset, offset + got.length)) && got.length > 0).toBe(true);
    });
  });

  test('keeps the window before a jump, for example to the directory at the end of a TIFF', async () => {
    const piece = 128 * KIB;
    const [front, end] = [
      { offset: 0, length: piece },
      { offset: bytes.length - 300, length: piece },
    ];
    const onward = Array.from({ length: 9 }, (_, i) => ({ offset: i * piece, length: piece }));
    onward[0] = { offset: 8, length: piece - 8 };
    const { pieces, pulls } = await ask<ReadAnswer>({ kind: 'read', file, reads: [front, end, ...onward] });
    expect(areSame(pieces[1]!, bytes.subarray(-300))).toBe(true);
    expect(areSame(new Uint8Array(await new Blob(pieces.slice(2)).arrayBuffer()), bytes.subarray(8, 9 * piece))).toBe(
      true,
    );
    expect(pulls).toEqual([piece, 300, MIB]);
  });

  test('an empty file has no bytes', async () => {
    const { pieces, pulls } = await ask<ReadAnswer>({
      kind: 'read',
      file: new Blob([]),
      reads: [{ offset: 0, length: 4 }],
    });
    expect([pieces[0]!.length, pulls]).toEqual([0, []]);
  });
});

describe('a source with a background reader', () => {
  const large = noise(20 * MIB + 4321, 5);
  const largeFile = new File([large], 'large.bin');
  const step = 100 * KIB;
  const length = 128 * KIB;
  const count = Math.floor((large.length - length) / step);
  const onward = Array.from({ length: Math.ceil(large.length / length) }, (_, i) => ({ offset: i * length, length }));
  /** The reads for the rows of a BMP: each range overlaps the previous one by a part of a row. */
  const backward = Array.from({ length: count }, (_, i) => ({ offset: (count - 1 - i) * step, length }));
  /** Reads with jumps, like another page in the middle of the file. */
  const leaping = [...onward.slice(0, 40), ...onward.slice(100, 140), ...backward.slice(30, 90), ...onward.slice(0, 9)];

  test.each([
    ['onward', onward, 1],
    ['onward in long steps', onward, 20],
    ['onward in steps longer than any window', onward, 90],
    ['backward', backward, 1],
    ['backward in long steps', backward, 20],
    ['to and fro', leaping, 3],
  ])('returns the same bytes: %s', async (_, reads, stepLength) => {
    const { pieces } = await ask<ReadAnswer>({ kind: 'read', file: largeFile, reads, stepLength });
    reads.forEach(({ offset }, i) => {
      const piece = pieces[i]!;
      expect(piece.length).toBeGreaterThan(0);
      expect(areSame(piece, large.subarray(offset, offset + piece.length))).toBe(true);
    });
  });

  test.each([
    ['onward', onward],
    ['backward', backward],
  ])('reads synchronously only at the start: %s', async (_, reads) => {
    const { pulls } = await ask<ReadAnswer>({ kind: 'read', file: largeFile, reads, stepLength: 1 });
    expect(pulls.map((size) => size / MIB)).toEqual([1 / 8, 1]);
  });

  test('reads synchronously what the background reader could not read', async () => {
    const order = { kind: 'read', file: largeFile, reads: onward, stepLength: 1, refuses: true } as const;
    const { pieces, pulls } = await ask<ReadAnswer>(order);
    expect(areSame(new Uint8Array(await new Blob(pieces).arrayBuffer()), large)).toBe(true);
    expect(pulls.length).toBeGreaterThan(2);
  });
});

describe('a sink', () => {
  /** Applies the same steps to one array. */
  function plainly(steps: WriteOrder['steps']): Uint8Array {
    const total = steps.reduce((sum, step) => sum + ('write' in step ? step.write.length : 0), 0);
    const whole = new Uint8Array(total);
    let at = 0;
    for (const step of steps) {
      if ('write' in step) {
        whole.set(step.write, at);
        at += step.write.length;
      } else {
        whole.set(step.patch, step.offset);
      }
    }
    return whole;
  }

  const write = (length: number, seed: number) => ({ write: noise(length, seed) });
  const patch = (offset: number, length: number) => ({ patch: noise(length, offset + 7), offset });

  test.each<[string, WriteOrder['steps']]>([
    ['nothing', []],
    ['one byte', [write(1, 1)]],
    ['many small writes', Array.from({ length: 300 }, (_, i) => write(i, i))],
    ['one write larger than a fold', [write(9 * MIB + 1, 2)]],
    ['writes that end where a fold ends', [write(4 * MIB, 3), write(4 * MIB, 4), write(1, 5)]],
    ['a patch in memory', [write(1000, 1), patch(10, 20)]],
    ['a patch of the last byte', [write(1000, 1), patch(999, 1)]],
    ['a patch of folded bytes', [write(9 * MIB, 1), patch(2, 4)]],
    ['a patch across a fold', [write(9 * MIB, 1), patch(4 * MIB - 10, 20)]],
    ['a patch from folded bytes into memory', [write(9 * MIB, 1), patch(8 * MIB - 5, 10)]],
    ['a patch across two folds', [write(13 * MIB, 1), patch(3 * MIB, 6 * MIB)]],
    [
      'patches of patches, and more writes',
      [write(5 * MIB, 1), patch(100, 50), patch(120, 5), patch(90, 15), write(MIB, 9), patch(0, 1)],
    ],
  ])('%s', async (_, steps) => {
    const { blob, reread } = await ask<WriteAnswer>({ kind: 'write', steps });
    const want = plainly(steps);
    expect(blob.type).toBe('image/bmp');
    expect(areSame(new Uint8Array(await blob.arrayBuffer()), want)).toBe(true);
    expect(areSame(reread, want)).toBe(true);
  });

  test('rejects a patch of bytes that were not written', async () => {
    await expect(ask({ kind: 'write', steps: [write(10, 1), patch(8, 3)] })).rejects.toThrow('beyond the end');
  });
});
