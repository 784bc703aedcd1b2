// WebP files that the engine writes in Node: the same bytes as in the browsers (web/engine/page/webp.browser.test.ts),
// and what libwebp reads in them.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { WEBP_ROWS } from '../testing/webp.ts';
import { isFailed, run } from './index.ts';

test.each(WEBP_ROWS.map((row, i) => [`${i} ${row.file}`, row] as const))('%s', async (_, { file, job, sha256 }) => {
  const source = fs.readFileSync(file);
  const outcome = run(source, job);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  const [part] = job.parts;
  const frames = job.parts.length;
  expect(outcome).toMatchObject({ format: 'webp', ...part?.target, frames, warnings: [] });
  const before = await sharp(source, { animated: true }).metadata();
  const { width, height, pages, loop, delay, hasProfile } = await sharp(outcome.bytes, { animated: true }).metadata();
  expect([width, height]).toEqual([part?.target.width, (part?.target.height ?? 0) * frames]);
  expect([pages, loop, delay]).toEqual([before.pages, before.loop, before.delay]);
  expect(hasProfile).toBe(file.includes('adobe-rgb'));
  expect(createHash('sha256').update(outcome.bytes).digest('hex')).toBe(sha256);
});

test('a picture that needs more memory than the job has is refused', () => {
  const [row] = WEBP_ROWS;
  if (row === undefined) throw new Error('no rows');
  const outcome = run(fs.readFileSync(row.file), { ...row.job, memory: 16 << 20 });
  expect(outcome).toMatchObject({ failure: { code: 'memory' } });
});
