// The thread that reads files while another worker computes. It runs no code of the core and makes no requests.

import type { FromReadingThread, ServeReads } from '../shared/reads-protocol.ts';

addEventListener('message', ({ data }: MessageEvent<ServeReads>) => serveReads(data.port));

function serveReads(port: MessagePort): void {
  const reader = new FileReaderSync();
  const send = (answer: FromReadingThread, transfer: Transferable[] = []) => port.postMessage(answer, transfer);
  port.onmessage = ({ data: piece }: MessageEvent<Blob>) => {
    try {
      const bytes = reader.readAsArrayBuffer(piece);
      send(bytes, [bytes]);
    } catch {
      send(null);
    }
  };
  send('ready');
}
