// CRC-32 for files that the core did not write, such as kept originals; ZIP stores a CRC-32 of every file. ISO 3309
// with the reflected polynomial 0xEDB88320, as in ZIP and PNG; four bytes per step.

const TABLES = makeTables();

/** Returns the checksum of `bytes`; `before` is the checksum of the preceding bytes, 0 at the start. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [last, third, second, first] = TABLES;
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= octet(bytes, at) | (octet(bytes, at + 1) << 8) | (octet(bytes, at + 2) << 16) | (octet(bytes, at + 3) << 24);
    crc = word(first, crc) ^ word(second, crc >>> 8) ^ word(third, crc >>> 16) ^ word(last, crc >>> 24);
  }
  for (; at < bytes.length; at += 1) crc = word(last, crc ^ octet(bytes, at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

// Indices are always in range; the fallbacks satisfy the type checker and have no measurable cost.
function octet(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function word(table: Int32Array, index: number): number {
  return table[index & 0xff] ?? 0;
}

/** Makes the tables: `tables[k]` holds the effect of a byte that is followed by `k` more bytes. */
function makeTables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const tables = [new Int32Array(256), new Int32Array(256), new Int32Array(256), new Int32Array(256)] as const;
  for (let value = 0; value < 256; value += 1) {
    let crc = value;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    tables[0][value] = crc;
  }
  for (let value = 0; value < 256; value += 1) {
    let crc = word(tables[0], value);
    for (const table of [tables[1], tables[2], tables[3]]) {
      crc = word(tables[0], crc) ^ (crc >>> 8);
      table[value] = crc;
    }
  }
  return tables;
}
