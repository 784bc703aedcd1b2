// The golden table through the real engine and its worker: Chromium, Firefox and WebKit must give the same bytes as the
// native build for every row.
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine, isFailed, type ResizeJob } from '../../web/engine/index.ts';
import { open } from './open.ts';
import table from './table.json';

interface Row {
  readonly file: string;
  readonly job: ResizeJob;
  readonly sha256: string;
}

const engine = createEngine({ warmWhenIdle: false });
afterAll(() => engine.dispose());

async function sha256(blob: Blob): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

describe('the golden table', () => {
  const rows = table as unknown as readonly Row[];
  let compared = 0;
  // A large drawing takes ten seconds beside compilers.
  const timeout = 60_000;
  test.each(rows.map((row, i) => [`${i} ${row.file}`, row] as const))('%s', { timeout }, async (_, { file, job, sha256: want }) => {
    const blob = await open(file);
    if (blob === null) {
      console.warn(`SKIPPED: ${file} is not on this machine`);
      return;
    }
    const outcome = await engine.run(blob, job);
    if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
    expect(await sha256(outcome.blob)).toBe(want);
    compared += 1;
  });

  test('has at least forty rows that run everywhere', () => {
    expect(compared).toBeGreaterThanOrEqual(40);
  });
});
