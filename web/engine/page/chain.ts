// Several workers that run one job together: a decoder, the core, an encoder, or two of these. The page connects them
// by MessageChannels and receives the outcome of each.
//
//     decoder ══rows══► core ══rows══► encoder         shared/rows-protocol.ts
//        ▲               ▲ │ verify ◄── file │
//        file            job               file
//
// The pool uses a chain like one runner. If a job is cancelled, or one worker fails or crashes, all of them end.

import type { EncoderModule, Reader } from '../../domain/formats.ts';
import { decoderOptions } from '../shared/decoder-options.ts';
import { ofDrawings } from '../shared/drawings.ts';
import type { ResizeResult, ResultOf, RewriteMetadataTask, RunTask } from '../shared/protocol.ts';
import type { Ending, Listener, Runner, TaskRunner } from './runner.ts';

/** A worker of a module outside the core. */
export type DecoderRunner = Runner<'decode' | 'run' | 'unpack'>;

/** The workers of a chain. Each has its own instance of its module. */
export interface ChainWorkers {
  readonly core: Runner<'run' | 'stage' | 'rewriteMetadata'>;
  /** Starts the worker of a module outside the core, for the first task that names it. */
  readonly startDecoder?: ((name: Reader) => DecoderRunner) | undefined;
  /** Starts the worker of a module that encodes pictures, for the first task that names it. */
  readonly startEncoder?: ((name: EncoderModule) => Runner<'encode'>) | undefined;
}

export class Chain implements TaskRunner<'run' | 'rewriteMetadata'> {
  readonly #workers: ChainWorkers;
  /** The decoder of the last task that had one. The next task with the same module uses it again. */
  #decoder: { readonly name: Reader; readonly runner: DecoderRunner } | undefined;
  /** The encoder of the last task that had one. */
  #encoder: { readonly name: EncoderModule; readonly runner: Runner<'encode'> } | undefined;
  #listener: Listener<ResultOf['run']> | undefined;
  /** The workers that have not finished their part of the task. */
  readonly #busy = new Set<'decoder' | 'core' | 'encoder'>();
  #isUsable = true;

  constructor(workers: ChainWorkers) {
    this.#workers = workers;
  }

  get memory(): number {
    return this.#runners().reduce((sum, { memory }) => sum + memory, 0);
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#runners().every(({ isUsable }) => isUsable);
  }

  perform(task: RunTask | RewriteMetadataTask, listener: Listener<ResizeResult>): void {
    this.#listener = listener;
    if (task.kind !== 'run' || task.decoder?.name !== 'core') this.#endSecondCore();
    if (task.kind === 'rewriteMetadata') this.#copy(task);
    else if (task.decoder?.gives === 'file') this.#decoderFor(task.decoder.name).perform(task, this.#partOf('core'));
    else this.#run(task);
  }

  warm(): Promise<void> {
    return this.#workers.core.warm();
  }

  giveUp(): void {
    this.#finish({ kind: 'crashed', detail: 'the workers did not answer' });
  }

  terminate(): void {
    this.#isUsable = false;
    for (const runner of this.#runners()) runner.terminate();
  }

  #copy({ unpacker, ...task }: RewriteMetadataTask): void {
    const copy = (file: Blob) => this.#workers.core.perform({ ...task, file }, this.#partOf('core'));
    if (unpacker === undefined) {
      copy(task.file);
      return;
    }
    const { file, memory } = task;
    this.#decoderFor(unpacker).perform({ kind: 'unpack', file, memory }, this.#partOf('decoder', copy));
  }

  #run(task: RunTask): void {
    const { core } = this.#workers;
    const encoder = task.encoder && this.#encoderFor(task.encoder);
    if (encoder !== undefined) this.#busy.add('encoder');
    const { file, job } = this.#decode(task);
    if (encoder === undefined) {
      core.perform({ kind: 'run', file, job }, this.#partOf('core'));
      return;
    }
    const { port1, port2 } = new MessageChannel();
    core.perform({ kind: 'stage', file, job, rows: port1 }, this.#partOf('core'));
    const onFile = (blob: Blob) => core.verify(blob);
    encoder.perform({ kind: 'encode', rows: port2, job }, this.#partOf('encoder', onFile));
  }

  /** Starts the decoder, if the task has one. Returns the file and the job of the core. */
  #decode({ file, job, decoder }: RunTask): Pick<RunTask, 'file' | 'job'> {
    if (decoder === undefined || !(file instanceof Blob)) return { file, job };
    const { port1, port2 } = new MessageChannel();
    const [rows, options] = [port1, decoderOptions(job)];
    this.#decoderFor(decoder.name).perform(
      { kind: 'decode', file, rows, parts: job.parts, options },
      this.#partOf('decoder'),
    );
    return { file: port2, job: decoder.gives === 'drawing' ? ofDrawings(job) : job };
  }

  /** Ends the core that decoded for the last task, because another task may need its processor. */
  #endSecondCore(): void {
    if (this.#decoder?.name !== 'core') return;
    this.#decoder.runner.terminate();
    this.#decoder = undefined;
  }

  #decoderFor(name: Reader): DecoderRunner {
    if (this.#decoder?.name === name) return this.#decoder.runner;
    this.#decoder?.runner.terminate();
    const runner = this.#workers.startDecoder?.(name);
    if (runner === undefined) throw new Error(`the chain has no decoder ${name}`);
    this.#decoder = { name, runner };
    return runner;
  }

  #encoderFor(name: EncoderModule): Runner<'encode'> {
    if (this.#encoder?.name === name) return this.#encoder.runner;
    this.#encoder?.runner.terminate();
    const runner = this.#workers.startEncoder?.(name);
    if (runner === undefined) throw new Error(`the chain has no encoder ${name}`);
    this.#encoder = { name, runner };
    return runner;
  }

  #runners() {
    const runners = [this.#decoder?.runner, this.#workers.core, this.#encoder?.runner];
    return runners.filter((runner) => runner !== undefined);
  }

  /** Listens to one worker. The end of the core is the end of the task, unless another worker failed before. */
  #partOf<Result>(name: 'decoder' | 'core' | 'encoder', onDone?: (result: Result) => void): Listener<Result> {
    this.#busy.add(name);
    return {
      onProgress: (fraction) => name === 'core' && this.#listener?.onProgress(fraction),
      onEnd: (ending: Ending<Result>) => {
        this.#busy.delete(name);
        if (ending.kind !== 'done') this.#finish(ending);
        else if (name === 'core') this.#finish(ending as Ending<Result & ResizeResult>);
        else onDone?.(ending.result);
      },
    };
  }

  /** Ends the task once. No worker is used again while one is busy: a decoder may be at rows that the job does not need. */
  #finish(ending: Ending<ResizeResult>): void {
    const listener = this.#listener;
    if (listener === undefined) return;
    this.#listener = undefined;
    if (this.#busy.size > 0 || !this.isUsable) this.terminate();
    listener.onEnd(ending);
  }
}
