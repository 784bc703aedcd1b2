// WebP and AVIF files that the engine writes in Node: the same bytes as in the browsers
// (web/engine/page/encoders.browser.test.ts), and what libwebp and libavif read in them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { AVIF_ROWS, ENCODED_ROWS, type EncodedRow, WEBP_ROWS } from '../testing/encoded.ts';
import { isFailed, type NodeResult, run } from './index.ts';

const named = (rows: readonly EncodedRow[]) => rows.map((row, i) => [`${i} ${row.file}`, row] as const);

function written({ file, job }: EncodedRow): NodeResult {
  const outcome = run(fs.readFileSync(file), job);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  return outcome;
}

test.each(named(ENCODED_ROWS))('%s', (_, row) => {
  const { job, sha256 } = row;
  const outcome = written(row);
  const [part] = job.parts;
  const frames = job.parts.length;
  expect(outcome).toMatchObject({ format: job.output.format, ...part?.target, frames, warnings: [] });
  expect(createHash('sha256').update(outcome.bytes).digest('hex')).toBe(sha256);
});

test.each(named(WEBP_ROWS))('libwebp reads %s', async (_, row) => {
  const [part] = row.job.parts;
  const before = await sharp(row.file, { animated: true }).metadata();
  const after = await sharp(written(row).bytes, { animated: true }).metadata();
  const { width, height, pages, loop, delay, hasProfile } = after;
  expect([width, height]).toEqual([part?.target.width, (part?.target.height ?? 0) * row.job.parts.length]);
  expect([pages, loop, delay]).toEqual([before.pages, before.loop, before.delay]);
  expect(hasProfile).toBe(row.file.includes('adobe-rgb'));
});

test.each(named(AVIF_ROWS))('libavif reads %s', async (_, row) => {
  const [part] = row.job.parts;
  const { bytes } = written(row);
  const before = await sharp(row.file).metadata();
  const { width, height, hasAlpha, hasProfile, exif } = await sharp(bytes).metadata();
  expect([width, height]).toEqual([part?.target.width, part?.target.height]);
  expect([hasAlpha, hasProfile]).toEqual([before.hasAlpha, row.file.includes('adobe-rgb')]);
  expect(exif === undefined).toBe(before.exif === undefined);
  const stored = infoOf(bytes);
  expect(stored['Bit Depth']).toBe(row.file.includes('16') ? '10' : '8');
  const isGray = before.channels === 1;
  const isFull = row.job.output.format === 'avif' && (row.job.output.quality ?? 0) >= 90;
  expect(stored['Format']).toMatch(isGray ? /YUV400/ : isFull ? /YUV444/ : /YUV420/);
});

test('a picture that needs more memory than the job has is refused', () => {
  for (const row of [WEBP_ROWS[0], AVIF_ROWS[0]]) {
    if (row === undefined) throw new Error('no rows');
    const outcome = run(fs.readFileSync(row.file), { ...row.job, memory: 16 << 20 });
    expect(outcome).toMatchObject({ failure: { code: 'memory' } });
  }
});

/** What avifdec says about a file. */
function infoOf(bytes: Uint8Array): Readonly<Record<string, string>> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'avif-')), 'result.avif');
  fs.writeFileSync(file, bytes);
  const lines = execFileSync('avifdec', ['--info', file], { encoding: 'utf8' }).split('\n');
  fs.rmSync(path.dirname(file), { recursive: true });
  return Object.fromEntries(lines.map((line) => line.split(':').map((part) => part.replace(/^[ *]+/, '').trim())));
}
