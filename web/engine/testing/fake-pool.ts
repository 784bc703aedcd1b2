// A pool whose workers are fake, for tests of the page's side.

import { Pool } from '../page/pool.ts';
import { Runner } from '../page/runner.ts';
import { FakeWorker } from './fake-worker.ts';

/** An empty module. */
export const EMPTY_MODULE = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));

/** Makes a pool, with its workers in the order of their creation. */
export function fakePool(limits: { concurrency: number; memory: number }): {
  pool: Pool<'run'>;
  workers: FakeWorker[];
} {
  const workers: FakeWorker[] = [];
  const spawn = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { pool: new Pool<'run'>({ ...limits, makeRunner: () => new Runner(spawn, EMPTY_MODULE) }), workers };
}
