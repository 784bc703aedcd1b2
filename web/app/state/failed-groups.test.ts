import { expect, it } from 'vitest';
import { failedGroups } from './failed-groups.ts';
import { startQueue } from './testing/started-queue.ts';

it('puts failed items with the same reason together, and those with another reason apart', async () => {
  const { queue, add, engine } = await startQueue();
  add('a.heic', 'b.txt', 'c.heic', 'd.jp2');
  const unsupported = { code: 'unsupported', format: 'heic', feature: '', detail: '' } as const;
  const failures = [
    unsupported,
    { code: 'not-an-image', detail: 'x' },
    unsupported,
    { code: 'empty', detail: '' },
  ] as const;
  for (const failure of failures) await engine.probes.shift()?.answer({ failure: failure as never });
  expect(failedGroups(queue.items.get())).toMatchObject([
    { message: { key: 'failure.heic' }, ids: [1, 3] },
    { message: { key: 'failure.notAnImage' }, ids: [2] },
    { message: { key: 'failure.empty' }, ids: [4] },
  ]);
});
