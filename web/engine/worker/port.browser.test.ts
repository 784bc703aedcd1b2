// Rows through a MessageChannel: equal bytes, read forwards, and never more in transit than the credit.
import { expect, test } from 'vitest';
import { CHUNK_BYTES, WINDOW_CHUNKS } from '../shared/rows-protocol.ts';
import { PortSink } from './port-sink.ts';
import { PortSource } from './port-source.ts';

const MIB = 1 << 20;

/** Returns the byte at a position of the stream; 251 divides no size of a chunk or row. */
const byteAt = (at: number) => at % 251;

const pattern = Uint8Array.from({ length: 8 * MIB + 251 }, (_, i) => byteAt(i));

function pieceAt(start: number, length: number): Uint8Array {
  return pattern.subarray(start % 251, (start % 251) + length);
}

/**
 * Sends `total` bytes in rows and reads them in other rows, with a pause after each step; returns the most bytes in
 * transit.
 */
async function pass(total: number, sentRow: number, readRow: number): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  const [sink, source] = [new PortSink(port1), new PortSource(port2)];
  let [sent, read, most] = [0, 0, 0];
  const send = async () => {
    for (; sent < total; sent += Math.min(sentRow, total - sent)) {
      await sink.beforeStep();
      sink.write(pieceAt(sent, Math.min(sentRow, total - sent)));
      most = Math.max(most, sent + sentRow - read);
    }
    sink.end();
  };
  const receive = async () => {
    const row = new Uint8Array(readRow);
    while (read < total) {
      await source.beforeStep();
      const given = source.readAt(read, row);
      if (given < 0) continue;
      if (given !== Math.min(readRow, total - read)) throw new Error(`${given} bytes at ${read}`);
      if (row[0] !== byteAt(read) || row[given - 1] !== byteAt(read + given - 1)) throw new Error(`wrong at ${read}`);
      read += given;
    }
    while (source.readAt(total, row) < 0) await source.beforeStep();
    expect(source.readAt(total, row)).toBe(0);
  };
  await Promise.all([send(), receive()]);
  return most;
}

test.each([
  [100, 7, 9],
  [3 * MIB + 5, 12_000, 12_000],
  [5 * MIB, MIB, 3 * MIB],
  [9 * MIB, 100_000, 999_999],
])('%i bytes in rows of %i arrive in rows of %i', async (total, sentRow, readRow) => {
  await pass(total, sentRow, readRow);
});

test('24 megapixels never have more than the window and a row in transit', { timeout: 60_000 }, async () => {
  const row = 6000 * 3;
  const most = await pass(72 * MIB, row, row);
  // The chunk that is being filled and the chunk that is being read count too.
  expect(most).toBeLessThanOrEqual((WINDOW_CHUNKS + 2) * CHUNK_BYTES + row);
});

test('a row longer than the window arrives', async () => {
  await pass(20 * MIB, 8 * MIB, 8 * MIB);
});

test('a source cannot be read backwards', async () => {
  const { port1, port2 } = new MessageChannel();
  const [sink, source] = [new PortSink(port1), new PortSource(port2)];
  sink.write(pieceAt(0, 100));
  sink.end();
  const row = new Uint8Array(10);
  while (source.readAt(50, row) < 0) await source.beforeStep();
  expect(() => source.readAt(40, row)).toThrow('forwards');
});
