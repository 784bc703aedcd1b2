// What the workers of all wasm modules have in common: the start, one task at a time, and its end. Such a worker makes
// no requests: the module and the files come by message. It has no top-level await, since messages that arrive before a
// script has been evaluated are lost without an error.

import type { CoreFailure, Source } from '../shared/core-types.ts';
import type { FromWorker, ResizeResult, ResultOf, Task, ToWorker } from '../shared/protocol.ts';
import { type BackgroundReader, backgroundReader } from './background-reader.ts';
import { PortSource } from './port-source.ts';
import { BlobSink } from './sink.ts';
import { BlobSource } from './source.ts';

/** The glue of a wasm module, as wasm-bindgen generates it. */
export interface ModuleGlue {
  initSync(options: { module: WebAssembly.Module }): unknown;
  /** The version of the module's interface. */
  abiVersion(): number;
  /** The size of the linear memory in bytes. */
  memoryBytes(): number;
}

export type Answer<Result> = { readonly ok: Result } | { readonly failure: CoreFailure };

export interface ServedModule {
  readonly glue: ModuleGlue;
  /** The version of the interface that the worker's script uses. */
  readonly abi: number;
  readonly perform: (task: Task) => TaskAnswer | Promise<TaskAnswer>;
  /** Called at the start with the module that encodes pictures, if the worker has one. */
  readonly onLibrary?: ((module: WebAssembly.Module) => void) | undefined;
  /** Called for `warm`; ends with `warmed`. */
  readonly warm?: (() => void) | undefined;
}

export type TaskAnswer = Answer<ResultOf[Task['kind']]>;

/** Reads ahead in the files of jobs; headers need none. */
let reader: BackgroundReader | undefined;

/** Answers the page's messages. */
export function serve(module: ServedModule): void {
  addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    switch (data.kind) {
      case 'start':
        reader = backgroundReader(data.readingThread);
        if (data.library !== undefined) module.onLibrary?.(data.library);
        start(module, data.module);
        break;
      case 'warm':
        if (module.warm === undefined) send({ kind: 'warmed' });
        else module.warm();
        break;
      case 'verify':
        break; // Heard by the stage that waits for it.
      default:
        void perform(module, data);
    }
  });
}

export function send(message: FromWorker<ResultOf[Task['kind']]>): void {
  postMessage(message);
}

function start({ glue, abi }: ServedModule, module: WebAssembly.Module): void {
  try {
    glue.initSync({ module });
    const version = glue.abiVersion();
    send(version === abi ? { kind: 'started' } : { kind: 'unusable', detail: `module ${version}, worker ${abi}` });
  } catch (error) {
    // After a LinkError module and glue are of different builds; after another error the instance could not be made.
    const kind = error instanceof WebAssembly.LinkError ? 'unusable' : 'crashed';
    send({ kind, detail: String(error) });
  }
}

async function perform({ glue, perform: answerTo }: ServedModule, task: Task): Promise<void> {
  try {
    const answer = await answerTo(task);
    const memory = glue.memoryBytes();
    send(
      'ok' in answer
        ? { kind: 'done', result: answer.ok, memory }
        : { kind: 'failed', failure: answer.failure, memory },
    );
  } catch (error) {
    // Failures are values. An exception is a trap: this instance cannot be used any more.
    send({ kind: 'crashed', detail: String(error) });
  }
}

/** A source that may have to wait for its bytes. */
export type SteppedSource = Source & { beforeStep(): Promise<void> | undefined };

/** The source of a job: a file, or rows of another worker. */
export async function openSource(file: Blob | MessagePort): Promise<SteppedSource> {
  if (file instanceof MessagePort) return new PortSource(file);
  const source = new BlobSource(file, reader);
  await source.begin();
  return source;
}

/** A sink for the job's file, which tells the page the progress. */
export function fileSink(): BlobSink {
  return new BlobSink((fraction) => send({ kind: 'progress', fraction }));
}

/** Makes all steps of a job and waits between two of them for what its source and its sink ask for. */
export async function lastStep<Result>(
  job: { step(): Result | undefined },
  ...ends: readonly { beforeStep(): Promise<void> | undefined }[]
): Promise<Result> {
  for (;;) {
    const answer = job.step();
    if (answer !== undefined) return answer;
    for (const end of ends) await end.beforeStep();
  }
}

/** The report together with the written file. */
export function withFile<Report>(answer: Answer<Report>, blob: Blob): Answer<Report & Pick<ResizeResult, 'blob'>> {
  return 'failure' in answer ? answer : { ok: { ...answer.ok, blob } };
}
