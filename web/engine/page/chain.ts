// Several workers that run one job together: a decoder, the core, an encoder, or two of these. The page connects them
// by MessageChannels and receives the outcome of each.
//
//     decoder ══rows══► core ══rows══► encoder         shared/rows-protocol.ts
//        ▲               ▲ │ verify ◄── file │
//        file            job               file
//
// The pool uses a chain like one runner. If a job is cancelled, or one worker fails or crashes, all of them end.

import type { ResizeResult, ResultOf, RunTask } from '../shared/protocol.ts';
import type { Ending, Listener, Runner, TaskRunner } from './runner.ts';

/** The workers of a chain. Each has its own instance of its module. */
export interface ChainWorkers {
  /** Decodes the file; undefined if the core decodes it. */
  readonly decoder?: Runner<'decode'> | undefined;
  readonly core: Runner<'run' | 'stage'>;
  /** Writes the file; undefined if the core writes it. */
  readonly encoder?: Runner<'encode'> | undefined;
}

export class Chain implements TaskRunner<'run'> {
  readonly #workers: ChainWorkers;
  readonly #runners: readonly Pick<TaskRunner<never>, 'memory' | 'isUsable' | 'giveUp' | 'terminate'>[];
  #listener: Listener<ResultOf['run']> | undefined;
  /** The workers that have not finished their part of the task. */
  readonly #busy = new Set<keyof ChainWorkers>();
  #isUsable = true;

  constructor(workers: ChainWorkers) {
    this.#workers = workers;
    this.#runners = [workers.decoder, workers.core, workers.encoder].filter((runner) => runner !== undefined);
  }

  get memory(): number {
    return Math.max(...this.#runners.map(({ memory }) => memory));
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#runners.every(({ isUsable }) => isUsable);
  }

  perform({ file, job }: RunTask, listener: Listener<ResizeResult>): void {
    const { decoder, core, encoder } = this.#workers;
    this.#listener = listener;
    for (const name of ['decoder', 'core', 'encoder'] as const) if (this.#workers[name]) this.#busy.add(name);
    let source = file;
    if (decoder !== undefined && file instanceof Blob) {
      const { port1, port2 } = new MessageChannel();
      const { memory } = job;
      decoder.perform({ kind: 'decode', file, rows: port1, memory }, this.#partOf('decoder'));
      source = port2;
    }
    if (encoder === undefined) {
      core.perform({ kind: 'run', file: source, job }, this.#partOf('core'));
      return;
    }
    const { port1, port2 } = new MessageChannel();
    core.perform({ kind: 'stage', file: source, job, rows: port1 }, this.#partOf('core'));
    encoder.perform(
      { kind: 'encode', rows: port2, job },
      this.#partOf('encoder', (blob) => core.verify(blob)),
    );
  }

  warm(): Promise<void> {
    return this.#workers.core.warm();
  }

  giveUp(): void {
    this.#finish({ kind: 'crashed', detail: 'the workers did not answer' });
  }

  terminate(): void {
    this.#isUsable = false;
    for (const runner of this.#runners) runner.terminate();
  }

  /** Makes the listener for one worker. The task ends with the core, unless another worker failed before. */
  #partOf<Result>(name: keyof ChainWorkers, onDone?: (result: Result) => void): Listener<Result> {
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

  /**
   * Ends the task once. If a worker is still busy, for example a decoder with unneeded rows, no worker is used again.
   */
  #finish(ending: Ending<ResizeResult>): void {
    const listener = this.#listener;
    if (listener === undefined) return;
    this.#listener = undefined;
    if (this.#busy.size > 0 || ending.kind !== 'done') this.terminate();
    listener.onEnd(ending);
  }
}
