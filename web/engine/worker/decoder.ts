// The worker of a module that reads formats which the core does not read. The script of a module, such as
// svg.worker.ts, passes its glue to `serveDecoder`: each module has a file of its own, because a worker loads nothing.

import type { Part, ResizeJob } from '../../domain/job.ts';
import type {
  CoreFailure,
  DecoderOptions,
  DeviceDecoder,
  ProbeAnswer,
  RunAnswer,
  Sink,
  Source,
  StepsAnswer,
} from '../shared/core-types.ts';
import type { DecodeTask, ProbeTask, ResizeResult, RunTask, Task, UnpackTask } from '../shared/protocol.ts';
import { PortSink } from './port-sink.ts';
import {
  type Answer,
  fileSink,
  lastStep,
  type ModuleGlue,
  openSource,
  serve,
  type TaskAnswer,
  withFile,
} from './serve.ts';
import { BlobSource } from './source.ts';

/** The functions of such a module. */
export interface DecoderGlue extends ModuleGlue {
  probe(source: Source, memory: number): ProbeAnswer;
  readonly Codec: {
    /** Writes the pictures of `source` to `rows`. A module that draws writes one picture for each of `parts`. */
    decoder(source: Source, rows: Sink, options: DecoderOptions, device?: WaitingDevice, parts?: Part[]): Decoding;
  };
  /** Resizes a file that stays in the module's own format, if the module can write it. */
  resize?(source: Source, sink: Sink, job: ResizeJob): RunAnswer;
  /** Copies a file with plain metadata instead of compressed ones, if its format can compress them. */
  unpack?(source: Source, sink: Sink, memory: number): StepsAnswer;
}

/** A decoder of the device, whose pictures come later. */
export interface WaitingDevice extends DeviceDecoder {
  /** Returns a promise to await before the next step of the module; undefined if no picture is under way. */
  beforeStep(): Promise<void> | undefined;
  /** Releases what the device holds. */
  close(): void;
}

export interface DecoderModes {
  /** Makes the decoder of the device for a file. */
  makeDevice?(): WaitingDevice;
  /** Returns the failure of every file on this device; null if files can be read. */
  refusal?(): Promise<CoreFailure | null>;
}

/** A decoder at work. */
interface Decoding {
  /** Goes on to the next rows, and gives the answer at the end. */
  step(): StepsAnswer | undefined;
  free(): void;
}

/** Answers the page's messages by the functions of a module. */
export function serveDecoder(glue: DecoderGlue, abi: number, modes: DecoderModes = {}): void {
  serve({ glue, abi, perform: (task) => perform(glue, modes, task) });
}

function perform(glue: DecoderGlue, modes: DecoderModes, task: Task): TaskAnswer | Promise<TaskAnswer> {
  switch (task.kind) {
    case 'probe':
      return probe(glue, modes, task);
    case 'decode': {
      const device = modes.makeDevice?.();
      const { options, parts } = task;
      return decode(task, (source, rows) => glue.Codec.decoder(source, rows, options, device, parts), device);
    }
    case 'run':
      return resize(glue, task);
    case 'unpack':
      return unpack(glue, task);
    default:
      throw new Error(`a decoder was asked for ${task.kind}`);
  }
}

async function probe(glue: DecoderGlue, { refusal }: DecoderModes, task: ProbeTask): Promise<TaskAnswer> {
  const failure = (await refusal?.()) ?? null;
  return failure === null ? glue.probe(new BlobSource(task.file), task.memory) : { failure };
}

/** Decodes a file for the worker at the other end of `rows`. */
export async function decode(
  { file, rows }: DecodeTask,
  start: (source: Source, rows: Sink) => Decoding,
  device?: WaitingDevice,
): Promise<Answer<null>> {
  const [source, sink] = [await openSource(file), new PortSink(rows)];
  const decoder = start(source, sink);
  const answer = await lastStep(decoder, source, sink, ...(device === undefined ? [] : [device]));
  decoder.free();
  device?.close();
  if ('failure' in answer) return answer;
  sink.end();
  return { ok: null };
}

function resize(glue: DecoderGlue, { file, job }: RunTask): Answer<ResizeResult> {
  if (glue.resize === undefined || !(file instanceof Blob)) throw new Error('this module writes no files');
  const sink = fileSink();
  const answer = glue.resize(new BlobSource(file), sink, job);
  return withFile(answer, sink.toBlob(''));
}

function unpack(glue: DecoderGlue, { file, memory }: UnpackTask): Answer<Blob> {
  if (glue.unpack === undefined) throw new Error('files of this module contain no compressed metadata');
  const sink = fileSink();
  const answer = glue.unpack(new BlobSource(file), sink, memory);
  return 'failure' in answer ? answer : { ok: sink.toBlob('') };
}
