// The worker: one instance of the core and its messages. The only file that imports the generated code. It makes no
// requests: the core and the files come by message. It has no top-level await, since messages that arrive before a
// module has been evaluated are lost without an error.

import {
  abiVersion,
  Run as CoreRun,
  initSync,
  memoryBytes,
  probe,
  type RunAnswer,
  relabel,
  warm,
} from '../core/core.js';
import type { CoreFailure, ImageInfo } from '../shared/core-types.ts';
import type { FromWorker, ResizeResult, RewriteMetadataTask, RunTask, Task, ToWorker } from '../shared/protocol.ts';
import { type BackgroundReader, startBackgroundReader } from './background-reader.ts';
import { BlobSink } from './sink.ts';
import { BlobSource } from './source.ts';

/** The version of the core's interface that this file uses: `crates/wasm` increases it with every change. */
const ABI = 5;

/**
 * The number of rounds that warm up the core, of about 25 ms each. After 8 rounds, and a few seconds of optimising by
 * the browser, the first image takes 1.1 to 1.2 times as long as later ones in Chromium, Firefox and WebKit; without
 * them 1.3 to 2.5 times (CPU time of the worker, 4 MP JPEG to 1 MP). 24 rounds gain no more.
 */
const WARM_ROUNDS = 8;

/** Whether a task has come, which ends the warming. */
let hasTask = false;

/** Started with the first warming or job; headers need none. */
let reader: BackgroundReader | undefined;

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'start':
      start(data.module);
      break;
    case 'warm':
      reader ??= startBackgroundReader();
      warmUp(WARM_ROUNDS);
      break;
    case 'probe':
    case 'run':
    case 'rewriteMetadata':
      hasTask = true;
      void perform(data);
      break;
  }
});

function say(message: FromWorker<ImageInfo | ResizeResult>): void {
  postMessage(message);
}

function start(module: WebAssembly.Module): void {
  try {
    initSync({ module });
    const version = abiVersion();
    say(version === ABI ? { kind: 'started' } : { kind: 'unusable', detail: `core ${version}, worker ${ABI}` });
  } catch (error) {
    // After a LinkError module and glue are of different builds; after another error the instance could not be made.
    const kind = error instanceof WebAssembly.LinkError ? 'unusable' : 'crashed';
    say({ kind, detail: String(error) });
  }
}

/** Warms up in short rounds, each in a task of its own, so that a message that has arrived is handled first. */
function warmUp(rounds: number): void {
  if (hasTask || rounds === 0) {
    say({ kind: 'warmed' });
    return;
  }
  try {
    warm();
    setTimeout(warmUp, 0, rounds - 1);
  } catch (error) {
    say({ kind: 'crashed', detail: String(error) });
  }
}

async function perform(task: Task): Promise<void> {
  try {
    const answer = task.kind === 'probe' ? probe(new BlobSource(task.file), task.memory) : await make(task);
    const memory = memoryBytes();
    say(
      'ok' in answer
        ? { kind: 'done', result: answer.ok, memory }
        : { kind: 'failed', failure: answer.failure, memory },
    );
  } catch (error) {
    // Failures are values. An exception is a trap: this instance cannot be used any more.
    say({ kind: 'crashed', detail: String(error) });
  }
}

async function make(task: RunTask | RewriteMetadataTask): Promise<{ ok: ResizeResult } | { failure: CoreFailure }> {
  const sink = new BlobSink((fraction) => say({ kind: 'progress', fraction }));
  const answer = task.kind === 'run' ? await resize(task, sink) : copy(task, sink);
  if ('failure' in answer) return answer;
  return { ok: { ...answer.ok, blob: sink.toBlob('') } };
}

const copy = ({ file, policy, memory }: RewriteMetadataTask, sink: BlobSink) =>
  relabel(new BlobSource(file), sink, policy, memory);

async function resize({ file, job }: RunTask, sink: BlobSink): Promise<RunAnswer> {
  reader ??= startBackgroundReader();
  const source = new BlobSource(file, reader);
  await source.begin();
  const run = new CoreRun(source, sink, job);
  let answer = run.step();
  while (answer === undefined) {
    await source.beforeStep();
    answer = run.step();
  }
  run.free();
  return answer;
}
