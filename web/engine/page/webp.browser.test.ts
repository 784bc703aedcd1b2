// The engine with libwebp: the same WebP files in each browser and in Node.
import { afterAll, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { isFailed } from '../shared/failure.ts';
import { WEBP_ROWS } from '../testing/webp.ts';
import { createEngine } from './engine.ts';

const engine = createEngine({ warmWhenIdle: false, concurrency: 2 });
afterAll(() => engine.dispose());

async function open(file: string): Promise<Blob> {
  const base64 = await commands.readFile(file, 'base64');
  return fetch(`data:;base64,${base64}`).then((response) => response.blob());
}

async function sha256(blob: Blob): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

test.each(WEBP_ROWS.map((row, i) => [`${i} ${row.file}`, row] as const))(
  '%s',
  async (_, { file, job, sha256: want }) => {
    const outcome = await engine.run(await open(file), job);
    if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
    expect(outcome).toMatchObject({ format: 'webp', frames: job.parts.length, warnings: [] });
    expect(outcome.blob.type).toBe('image/webp');
    expect(await sha256(outcome.blob)).toBe(want);
  },
);

test('the browser shows what was written', async () => {
  const row = WEBP_ROWS[1];
  if (row === undefined) throw new Error('no such row');
  const outcome = await engine.run(await open(row.file), row.job);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  const shown = new Image();
  shown.src = URL.createObjectURL(outcome.blob);
  await shown.decode();
  expect([shown.naturalWidth, shown.naturalHeight]).toEqual([50, 38]);
});
