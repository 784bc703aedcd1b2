// The worker of streams.browser.test.ts. It performs the given reads on a source or the given writes on a sink, both of
// which require a worker, and returns the results.

import { type BackgroundReader, backgroundReader } from '../worker/background-reader.ts';
import { BlobSink } from '../worker/sink.ts';
import { BlobSource } from '../worker/source.ts';
import type { ReadAnswer, ReadOrder, StartOrder, WriteAnswer, WriteOrder } from './streams-protocol.ts';

let reader: BackgroundReader = backgroundReader(null);

addEventListener('message', async ({ data }: MessageEvent<StartOrder | ReadOrder | WriteOrder>) => {
  if (data.kind === 'start') {
    reader = backgroundReader(data.readingThread);
    return;
  }
  try {
    postMessage(data.kind === 'read' ? await read(data) : write(data));
  } catch (error) {
    postMessage(String(error));
  }
});

async function read({ file, reads, stepLength, refuses = false }: ReadOrder): Promise<ReadAnswer> {
  const pulls: number[] = [];
  const { readAsArrayBuffer } = FileReaderSync.prototype;
  FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
    pulls.push(blob.size);
    return readAsArrayBuffer.call(this, blob);
  };
  const source = new BlobSource(file, stepLength === undefined ? undefined : refuses ? REFUSING : await readyReader());
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const [i, { offset, length }] of reads.entries()) {
    if (stepLength !== undefined && i % stepLength === 0) await source.beforeStep();
    const into = new Uint8Array(length);
    pieces.push(into.slice(0, source.readAt(offset, into)));
  }
  FileReaderSync.prototype.readAsArrayBuffer = readAsArrayBuffer;
  return { pieces, pulls };
}

const REFUSING: BackgroundReader = { isReady: true, read: () => Promise.resolve(null) };

async function readyReader(): Promise<BackgroundReader> {
  while (!reader.isReady) await new Promise((resolve) => setTimeout(resolve, 1));
  return reader;
}

function write({ steps }: WriteOrder): WriteAnswer {
  const sink = new BlobSink(() => undefined);
  for (const step of steps) {
    if ('write' in step) sink.write(step.write);
    else sink.patch(step.offset, step.patch);
  }
  const source = sink.reread();
  const reread = new Uint8Array(source.byteLen());
  for (let at = 0; at < reread.length; ) at += source.readAt(at, reread.subarray(at, at + 100_000));
  return { blob: sink.toBlob('image/bmp'), reread };
}
