// For streams.browser.test.ts: does to a source or a sink what it is told, where both live, and tells what came of it.

import { BlobSink } from './sink.ts';
import { BlobSource } from './source.ts';
import type { ReadAnswer, ReadOrder, WriteAnswer, WriteOrder } from './streams-protocol.ts';

addEventListener('message', ({ data }: MessageEvent<ReadOrder | WriteOrder>) => {
  try {
    postMessage(data.kind === 'read' ? read(data) : write(data));
  } catch (error) {
    postMessage(String(error));
  }
});

function read({ file, reads }: ReadOrder): ReadAnswer {
  const pulls: number[] = [];
  const { readAsArrayBuffer } = FileReaderSync.prototype;
  FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
    pulls.push(blob.size);
    return readAsArrayBuffer.call(this, blob);
  };
  const source = new BlobSource(file);
  const pieces = reads.map(({ offset, length }) => {
    const into = new Uint8Array(length);
    return into.slice(0, source.readAt(offset, into));
  });
  FileReaderSync.prototype.readAsArrayBuffer = readAsArrayBuffer;
  return { pieces, pulls };
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
