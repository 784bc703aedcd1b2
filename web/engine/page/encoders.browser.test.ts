// The engine with libwebp, libavif and libjxl: the same files in each browser and in Node.
import { afterAll, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { isFailed } from '../shared/failure.ts';
import { AVIF_ROWS, ENCODED_ROWS, WEBP_ROWS } from '../testing/encoded.ts';
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

test.each(ENCODED_ROWS.map((row, i) => [`${i} ${row.file}`, row] as const))(
  '%s',
  async (_, { file, job, sha256: want }) => {
    const outcome = await engine.run(await open(file), job);
    if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
    const { format } = job.output;
    expect(outcome).toMatchObject({ format, frames: job.parts.length, warnings: [] });
    expect(outcome.blob.type).toBe(`image/${format}`);
    expect(await sha256(outcome.blob)).toBe(want);
  },
);

test.each([...WEBP_ROWS, ...AVIF_ROWS].filter(({ file }) => file.includes('adobe')))(
  'the browser shows $file',
  async (row) => {
    const outcome = await engine.run(await open(row.file), row.job);
    if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
    const shown = new Image();
    shown.src = URL.createObjectURL(outcome.blob);
    await shown.decode();
    const [part] = row.job.parts;
    expect([shown.naturalWidth, shown.naturalHeight]).toEqual([part?.target.width, part?.target.height]);
  },
);
