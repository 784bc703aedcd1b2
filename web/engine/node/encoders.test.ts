// WebP, AVIF and JPEG XL files that the engine writes in Node: the same bytes as in the browsers
// (web/engine/page/encoders.browser.test.ts), and what libwebp, libavif and djxl read in them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Encoding } from '../../domain/job.ts';
import { AVIF_ROWS, ENCODED_ROWS, type EncodedRow, JXL_ROWS, WEBP_ROWS } from '../testing/encoded.ts';
import { isFailed, type NodeResult, run } from './index.ts';

const PNG: Encoding = { format: 'png', effort: 'fast', palette: 'exact' };

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
  const stored = await infoOf(bytes);
  expect(stored['Bit Depth']).toBe(row.file.includes('16') ? '10' : '8');
  const isGray = before.channels === 1;
  const isFull = row.job.output.format === 'avif' && (row.job.output.quality ?? 0) >= 90;
  expect(stored['Format']).toMatch(isGray ? /YUV400/ : isFull ? /YUV444/ : /YUV420/);
});

test.each(named(JXL_ROWS))('djxl reads %s', async (_, row) => {
  const { output, parts } = row.job;
  const { width, height } = parts[0]?.target ?? {};
  const jxl = written(row).bytes;
  const png = await inFolder((folder) => {
    const [from, to] = [path.join(folder, 'result.jxl'), path.join(folder, 'result.png')];
    fs.writeFileSync(from, jxl);
    execFileSync('djxl', [from, to], { stdio: 'ignore' });
    return fs.readFileSync(to);
  });
  const wanted = written({ ...row, job: { ...row.job, profile: 'srgb', output: PNG } }).bytes;
  const pixelsOf = (file: Uint8Array) => sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const [ours, theirs] = [await pixelsOf(wanted), await pixelsOf(png)];
  expect(await sharp(png).metadata()).toMatchObject({ width, height });
  // The rings of the pictures are of saturated colours and one pixel wide, which costs single pixels much.
  const difference = ours.reduce((sum, sample, i) => sum + Math.abs(sample - (theirs[i] ?? 0)), 0) / ours.length;
  const isLossless = output.format === 'jxl' && output.lossless;
  expect(difference).toBeLessThanOrEqual(isLossless ? 0 : 10);
  const before = await sharp(row.file).metadata();
  expect(Buffer.from(jxl).includes('Exif')).toBe(before.exif !== undefined);
});

test('a picture that needs more memory than the job has is refused', () => {
  for (const row of [WEBP_ROWS[0], AVIF_ROWS[0], JXL_ROWS[0]]) {
    if (row === undefined) throw new Error('no rows');
    const outcome = run(fs.readFileSync(row.file), { ...row.job, memory: 16 << 20 });
    expect(outcome).toMatchObject({ failure: { code: 'memory' } });
  }
});

/** What avifdec says about a file. */
function infoOf(bytes: Uint8Array): Promise<Readonly<Record<string, string>>> {
  return inFolder((folder) => {
    const file = path.join(folder, 'result.avif');
    fs.writeFileSync(file, bytes);
    const lines = execFileSync('avifdec', ['--info', file], { encoding: 'utf8' }).split('\n');
    return Object.fromEntries(lines.map((line) => line.split(':').map((part) => part.replace(/^[ *]+/, '').trim())));
  });
}

/** Calls a function with a folder that is deleted after it. */
async function inFolder<Result>(use: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'encoders-'));
  try {
    return await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
