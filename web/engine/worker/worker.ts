// The worker of the core: one instance of the core, and its tasks.

import { Codec, Run as CoreRun, probe, relabel, Staged, warm } from '../core/core.js';
import type { ResizeResult, RewriteMetadataTask, RunTask, StageTask, Task, ToWorker } from '../shared/protocol.ts';
import { decode } from './decoder.ts';
import { CORE, encode } from './encoder.ts';
import { PortSink } from './port-sink.ts';
import { type Answer, fileSink, lastStep, openSource, send, serve, type TaskAnswer, withFile } from './serve.ts';
import { BlobSource } from './source.ts';

/**
 * The number of rounds that warm up the core, of about 25 ms each. After 8 rounds and a few seconds of optimisation by
 * the browser, the first image takes 1.1 to 1.2 times as long as later ones in Chromium, Firefox and WebKit; without
 * them 1.3 to 2.5 times (CPU time of the worker, 4 MP JPEG to 1 MP). 24 rounds gain nothing more.
 */
const WARM_ROUNDS = 8;

/** Whether a task has arrived, which ends the warming. */
let hasTask = false;

serve({ ...CORE, perform, warm: () => warmUp(WARM_ROUNDS) });

/** Warms up in short rounds, each in its own task, so that a message that has arrived is handled first. */
function warmUp(rounds: number): void {
  if (hasTask || rounds === 0) {
    send({ kind: 'warmed' });
    return;
  }
  try {
    warm();
    setTimeout(warmUp, 0, rounds - 1);
  } catch (error) {
    send({ kind: 'crashed', detail: String(error) });
  }
}

function perform(task: Task): TaskAnswer | Promise<TaskAnswer> {
  hasTask = true;
  switch (task.kind) {
    case 'probe':
      return probe(new BlobSource(task.file), task.memory);
    case 'run':
      return resize(task);
    case 'rewriteMetadata':
      return copy(task);
    case 'decode':
      return decode(task, (source, rows) => Codec.decoder(source, rows, task.options));
    case 'stage':
      return stage(task);
    case 'encode':
      return encode(task);
    case 'unpack':
      throw new Error('the core unpacks no files');
  }
}

function copy({ file, changes, memory }: RewriteMetadataTask): Answer<ResizeResult> {
  const sink = fileSink();
  return withFile(relabel(new BlobSource(file), sink, changes, memory), sink.toBlob(''));
}

async function resize({ file, job }: RunTask): Promise<Answer<ResizeResult>> {
  const [source, sink] = [await openSource(file), fileSink()];
  const run = new CoreRun(source, sink, job);
  const answer = await lastStep(run, source);
  run.free();
  return withFile(answer, sink.toBlob(''));
}

async function stage({ file, job, rows }: StageTask): Promise<Answer<ResizeResult>> {
  const encoded = nextVerify();
  const progress = fileSink();
  const [source, sink] = [await openSource(file), new PortSink(rows, (done, total) => progress.progress(done, total))];
  const staged = new Staged(source, sink, job);
  const answer = await lastStep(staged, source, sink);
  if ('failure' in answer) return answer;
  sink.end();
  const blob = await encoded;
  const report = staged.verify(new BlobSource(blob));
  staged.free();
  return withFile(report, blob);
}

/** Resolves to the file that the page sends for the running stage. */
function nextVerify(): Promise<Blob> {
  return new Promise((resolve) => {
    addEventListener('message', function hear({ data }: MessageEvent<ToWorker>) {
      if (data.kind !== 'verify') return;
      removeEventListener('message', hear);
      resolve(data.file);
    });
  });
}
