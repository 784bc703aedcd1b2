// The failures of the core, through the compiled module: code and figures, with a sentence for the details view.
import fs from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { initSync, probe, type ResizeJob, Run } from '../core/core.js';
import type { Sink, Source } from '../shared/core-types.ts';
import { MemorySink, sourceOf } from './memory.mjs';

beforeAll(() => {
  const bytes = fs.readFileSync(new URL('../core/core_bg.wasm', import.meta.url));
  initSync({ module: new WebAssembly.Module(bytes) });
});

/** Makes a black BMP with 24 bits per pixel. */
function bmp(width: number, height: number, byteLength: number): Buffer {
  const file = Buffer.alloc(54 + byteLength);
  file.write('BM');
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

const picture = bmp(4, 4, 48);
const part = { frame: 0, crop: { x: 0, y: 0, width: 4, height: 4 }, target: { width: 2, height: 2 }, canvas: null };
const job: ResizeJob = {
  kernel: 'lanczos3',
  light: 'auto',
  memory: 1 << 26,
  output: { format: 'jpeg', quality: 80, background: [255, 255, 255] },
  parts: [part],
};

function run(change: Partial<ResizeJob>, source = sourceOf(picture), sink: Sink = new MemorySink()) {
  const running = new Run(source, sink, { ...job, ...change });
  let answer = running.step();
  while (answer === undefined) answer = running.step();
  running.free();
  return answer;
}

const unreadable: Source = {
  byteLen: () => picture.length,
  readAt() {
    throw new Error('gone');
  },
};
const full: Sink = Object.assign(new MemorySink(), {
  write() {
    throw new Error('full');
  },
});

test.each([
  ['no bytes', '', { code: 'empty' }],
  ['a text', 'not a picture at all', { code: 'not-an-image' }],
  ['a PDF', '%PDF-1.7\n', { code: 'other-kind', kind: 'pdf' }],
  ['half a header', picture.subarray(0, 30), { code: 'malformed', format: 'bmp' }],
  ['a header alone', bmp(30_000, 30_000, 0), { code: 'implausible', width: 30_000, height: 30_000, bytes: 54 }],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', { code: 'unsupported', format: 'svg', feature: '' }],
])('the header of %s', (_, file, failure) => {
  expect(probe(sourceOf(Buffer.from(file)), 1 << 26)).toEqual({ failure: { ...failure, detail: expect.any(String) } });
});

test.each([
  ['too little memory', { memory: 10 }, { code: 'memory', need: expect.any(Number), have: 10 }],
  ['no pixels', { parts: [{ ...part, target: { width: 0, height: 2 } }] }, { code: 'no-size', width: 0, height: 2 }],
  [
    'a long side',
    { parts: [{ ...part, target: { width: 70_000, height: 2 } }] },
    { code: 'side', width: 70_000, height: 2, max: 65_535 },
  ],
  ['a crop outside of the picture', { parts: [{ ...part, crop: { ...part.crop, x: 3 } }] }, { code: 'contradiction' }],
])('a job with %s', (_, change, failure) => {
  expect(run(change)).toEqual({ failure: { ...failure, detail: expect.any(String) } });
});

test('a file that cannot be read or written', () => {
  expect(run({}, unreadable)).toEqual({ failure: { code: 'read', detail: 'cannot read: gone' } });
  expect(run({}, sourceOf(picture), full)).toEqual({ failure: { code: 'write', detail: 'cannot write: full' } });
});
