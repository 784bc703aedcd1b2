// A fake Worker for tests of the page's side; the test sends its answers.

import type { CoreFailure } from '../shared/core-types.ts';
import type { FromWorker, ResizeResult, Task, ToWorker } from '../shared/protocol.ts';

const MEMORY_BYTES = 1 << 20;

const RESULT: ResizeResult = {
  blob: new Blob([]),
  format: 'png',
  width: 1,
  height: 1,
  frames: 1,
  byteLength: 0,
  crc32: 0,
  warnings: [],
  memory: 0,
};

export class FakeWorker {
  onmessage: ((event: { data: FromWorker<ResizeResult> }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  onmessageerror: (() => void) | null = null;
  isTerminated = false;
  /** The pending task. */
  task: Task | undefined;

  postMessage(message: ToWorker): void {
    if (message.kind !== 'start' && message.kind !== 'warm' && message.kind !== 'verify') this.task = message;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  send(message: FromWorker<ResizeResult>): void {
    this.onmessage?.({ data: message });
  }

  finish(memory = MEMORY_BYTES): void {
    this.task = undefined;
    this.send({ kind: 'done', result: RESULT, memory });
  }

  fail(failure: CoreFailure): void {
    this.task = undefined;
    this.send({ kind: 'failed', failure, memory: MEMORY_BYTES });
  }

  crash(): void {
    this.send({ kind: 'crashed', detail: 'RuntimeError: unreachable' });
  }

  error(): void {
    this.onerror?.({ message: '', preventDefault: () => undefined });
  }
}
