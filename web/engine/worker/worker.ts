// The worker: one instance of the core, and its messages. Only this file imports the generated code. It makes no
// requests: the core and the files arrive by message. It has no top-level await, because messages that arrive before a
// module has been evaluated are lost without an error.

import {
  abiVersion,
  Codec,
  Run as CoreRun,
  initSync,
  memoryBytes,
  probe,
  type RunAnswer,
  relabel,
  Staged,
  warm,
} from '../core/core.js';
import type { CoreFailure, ImageInfo } from '../shared/core-types.ts';
import type {
  DecodeTask,
  EncodeTask,
  FromWorker,
  ResizeResult,
  ResultOf,
  RewriteMetadataTask,
  RunTask,
  StageTask,
  Task,
  ToWorker,
} from '../shared/protocol.ts';
import { type BackgroundReader, startBackgroundReader } from './background-reader.ts';
import { PortSink } from './port-sink.ts';
import { PortSource } from './port-source.ts';
import { BlobSink } from './sink.ts';
import { BlobSource } from './source.ts';

/** The version of the core's interface that this file uses; `crates/wasm` increases it with every change. */
const ABI = 5;

/**
 * The number of rounds that warm up the core, of about 25 ms each. After 8 rounds and a few seconds of optimisation by
 * the browser, the first image takes 1.1 to 1.2 times as long as later ones in Chromium, Firefox and WebKit; without
 * them 1.3 to 2.5 times (CPU time of the worker, 4 MP JPEG to 1 MP). 24 rounds gain nothing more.
 */
const WARM_ROUNDS = 8;

/** Whether a task has arrived, which ends the warming. */
let hasTask = false;

/** The background reader. It is started with the first warming or job; headers do not need it. */
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
    case 'decode':
    case 'stage':
    case 'encode':
      hasTask = true;
      void perform(data);
      break;
    case 'verify':
      break; // The waiting stage handles it: see nextVerify.
  }
});

function say(message: FromWorker<ResultOf[Task['kind']]>): void {
  postMessage(message);
}

function start(module: WebAssembly.Module): void {
  try {
    initSync({ module });
    const version = abiVersion();
    say(version === ABI ? { kind: 'started' } : { kind: 'unusable', detail: `core ${version}, worker ${ABI}` });
  } catch (error) {
    // A LinkError means that module and glue belong to different builds; another error, that no instance could be made.
    const kind = error instanceof WebAssembly.LinkError ? 'unusable' : 'crashed';
    say({ kind, detail: String(error) });
  }
}

/** Warms up in short rounds, each in its own task, so that a message that has arrived is handled first. */
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
    const answer = await answerTo(task);
    const memory = memoryBytes();
    say(
      'ok' in answer
        ? { kind: 'done', result: answer.ok, memory }
        : { kind: 'failed', failure: answer.failure, memory },
    );
  } catch (error) {
    // Failures are values, so an exception is a trap: this instance cannot be used again.
    say({ kind: 'crashed', detail: String(error) });
  }
}

type Answer<Result> = { readonly ok: Result } | { readonly failure: CoreFailure };

function answerTo(task: Task): Promise<Answer<ResultOf[Task['kind']]>> | Answer<ImageInfo | ResizeResult> {
  switch (task.kind) {
    case 'probe':
      return probe(new BlobSource(task.file), task.memory);
    case 'run':
      return resize(task);
    case 'rewriteMetadata':
      return copy(task);
    case 'decode':
      return decode(task);
    case 'stage':
      return stage(task);
    case 'encode':
      return encode(task);
  }
}

const fileSink = () => new BlobSink((fraction) => say({ kind: 'progress', fraction }));

function copy({ file, policy, memory }: RewriteMetadataTask): Answer<ResizeResult> {
  const sink = fileSink();
  return withFile(relabel(new BlobSource(file), sink, policy, memory), sink.toBlob(''));
}

async function resize({ file, job }: RunTask): Promise<Answer<ResizeResult>> {
  const [source, sink] = [await sourceOf(file), fileSink()];
  const run = new CoreRun(source, sink, job);
  const answer = await lastStep(run, source);
  run.free();
  return withFile(answer, sink.toBlob(''));
}

async function decode({ file, rows, memory }: DecodeTask): Promise<Answer<null>> {
  const [source, sink] = [await sourceOf(file), new PortSink(rows)];
  const decoder = Codec.decoder(source, sink, memory);
  const answer = await lastStep(decoder, source, sink);
  decoder.free();
  if ('failure' in answer) return answer;
  sink.end();
  return { ok: null };
}

async function stage({ file, job, rows }: StageTask): Promise<Answer<ResizeResult>> {
  const encoded = nextVerify();
  const progress = fileSink();
  const [source, sink] = [await sourceOf(file), new PortSink(rows, (done, total) => progress.progress(done, total))];
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

async function encode({ rows, job }: EncodeTask): Promise<Answer<Blob>> {
  const [source, sink] = [new PortSource(rows), fileSink()];
  const encoder = Codec.encoder(source, sink, job);
  const answer = await lastStep(encoder, source);
  encoder.free();
  return 'failure' in answer ? answer : { ok: sink.toBlob('') };
}

async function sourceOf(file: Blob | MessagePort): Promise<BlobSource | PortSource> {
  if (file instanceof MessagePort) return new PortSource(file);
  reader ??= startBackgroundReader();
  const source = new BlobSource(file, reader);
  await source.begin();
  return source;
}

/** Runs all steps of a job of the core and waits between two steps for source and sink. */
async function lastStep<Result>(
  job: { step(): Result | undefined },
  ...ends: readonly { beforeStep(): Promise<void> | undefined }[]
): Promise<Result> {
  for (;;) {
    const answer = job.step();
    if (answer !== undefined) return answer;
    for (const end of ends) await end.beforeStep();
  }
}

function withFile(answer: RunAnswer, blob: Blob): Answer<ResizeResult> {
  return 'failure' in answer ? answer : { ok: { ...answer.ok, blob } };
}
