// @ts-check
// The step of a module's build that removes the messages of panics, which nobody reads: no module has a panic hook, so a
// panic is the trap `unreachable` in any case, which ends the instance (`crashed` in web/engine/worker/serve.ts). Checks
// of bounds and all that can panic stay. Functions that only panic trap at once, and the places of panics in the
// source (`core::panic::Location`) become zeros; wasm-opt then removes what nobody calls. wasm-opt's own
// `--traps-never-happen` would remove the checks too.
// Read first: the binary format of WebAssembly, § 5.5.

/** The functions of the standard library that only panic or abort. None of them returns. */
const panicking = [
  /^<?(core|alloc)::.*::(panic|panic_[a-z_]+|assert_failed|assert_failed_[a-z_]+)$/,
  /^<?(core|alloc)::.*::(unwrap_failed|expect_failed|slice_index_fail|len_mismatch_fail|slice_error_fail|slice_error_fail_rt)$/,
  /^alloc::(raw_vec::handle_error|raw_vec::capacity_overflow|alloc::handle_alloc_error)$/,
  /^std::panicking::(panic_handler|panic_with_hook|begin_panic|rust_panic|rust_panic_with_hook)$/,
  /^std::(alloc::rust_oom|sync::lazy_lock::panic_poisoned|sys::backtrace::__rust_end_short_backtrace)$/,
  /^__rustc::(rust_begin_unwind|rust_panic|__rust_alloc_error_handler)$/,
];

/** What a file name in a place looks like. */
const sourceFile = /^[\w/.<>@+-]+\.rs$/;

/** The body of a function that traps: three bytes, no locals, `unreachable`, `end`. */
const trap = Buffer.from([3, 0, 0x00, 0x0b]);

const section = { custom: 0, import: 2, code: 10, data: 11 };

/** A reader of the binary format. */
class Cursor {
  /** @param {Buffer} bytes @param {number} [at] @param {number} [end] */
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  byte() {
    if (this.at >= this.end) throw new Error('the module ends early');
    return this.bytes.readUInt8(this.at++);
  }

  /** An unsigned number in LEB128. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** The part that follows its length. */
  part() {
    const length = this.number();
    const part = new Cursor(this.bytes, this.at, this.at + length);
    if (part.end > this.end) throw new Error('a part of the module is longer than the module');
    this.at = part.end;
    return part;
  }

  text() {
    const { bytes, at, end } = this.part();
    return bytes.toString('utf8', at, end);
  }

  rest() {
    return this.bytes.subarray(this.at, this.end);
  }
}

/** @param {number} value @returns {Buffer} LEB128 */
function encoded(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

/** @param {Buffer} bytes @returns {{ id: number, content: Cursor }[]} */
function sectionsOf(bytes) {
  const cursor = new Cursor(bytes, 8);
  const sections = [];
  while (cursor.at < cursor.end) sections.push({ id: cursor.byte(), content: cursor.part() });
  return sections;
}

/** @param {Cursor} content of the section of imports @returns {number} the number of imported functions */
function importedFunctions(content) {
  const count = content.number();
  for (let n = 0; n < count; n += 1) {
    content.part();
    content.part();
    // The glue of wasm-bindgen imports nothing but functions.
    if (content.byte() !== 0) throw new Error('the module imports something else than functions');
    content.number();
  }
  return count;
}

/** @param {Cursor} content of the section of names @returns {Map<number, string>} by the number of the function */
function functionNames(content) {
  const names = new Map();
  while (content.at < content.end) {
    const kind = content.byte();
    const part = content.part();
    if (kind !== 1) continue;
    const count = part.number();
    for (let n = 0; n < count; n += 1) names.set(part.number(), part.text());
  }
  return names;
}

/** @param {string} name as the section of names has it @returns {string} without hashes, numbers and types at the end */
function plainName(name) {
  const withoutHashes = name.replace(/\[[0-9a-f]{10,16}\]/g, '').replace(/::h[0-9a-f]{16}$/, '');
  return withoutHashes.replace(/\.\d+$/, '').replace(/(::<.*>|::\{closure#\d+\})+$/, '');
}

/** @param {string} name */
function onlyPanics(name) {
  const plain = plainName(name);
  // `<alloc::vec::Vec<_, _>>::f` is a function of the type, `<core::cell::BorrowError as core::fmt::Debug>::fmt` of a trait.
  return !plain.includes(' as ') && panicking.some((pattern) => pattern.test(plain));
}

/**
 * @param {Cursor} content of the section of code
 * @param {(index: number) => string | undefined} nameOf
 * @returns {{ code: Buffer, names: string[] }} the new content, and the names of functions that trap now
 */
function silentCode(content, nameOf) {
  const count = content.number();
  const parts = [encoded(count)];
  const names = [];
  for (let n = 0; n < count; n += 1) {
    const body = content.part().rest();
    const name = nameOf(n) ?? '';
    // A function that never returns ends with `unreachable`, so another end tells of a wrong name.
    if (onlyPanics(name) && body.length > 2 && body.subarray(-2).equals(trap.subarray(-2))) {
      names.push(name);
      parts.push(trap);
    } else {
      parts.push(encoded(body.length), body);
    }
  }
  return { code: Buffer.concat(parts), names };
}

/** @typedef {{ address: number, bytes: Buffer }} Segment of the memory at the start */

/** @param {Cursor} content of the section of data @returns {Segment[]} views on the module */
function segmentsOf(content) {
  return Array.from({ length: content.number() }, () => {
    const [flags, constant] = [content.number(), content.byte()];
    if (flags !== 0 || constant !== 0x41) throw new Error('a segment of data has no constant address');
    const address = content.number();
    content.byte();
    return { address, bytes: content.part().rest() };
  });
}

/**
 * Overwrites the places of panics and the names of files with zeros. A place consists of four words: the address and
 * the length of a file's name, the line and the column.
 * @param {Segment[]} segments
 * @returns {string[]} the names
 */
function clearPlaces(segments) {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  const view = (/** @type {number} */ address, /** @type {number} */ length) => {
    const found = segments.find((one) => address >= one.address && address + length <= one.address + one.bytes.length);
    return found?.bytes.subarray(address - found.address, address - found.address + length);
  };
  for (const { address, bytes } of segments) {
    for (let at = (4 - (address % 4)) % 4; at + 16 <= bytes.length; at += 4) {
      const [name = 0, length = 0, line = 0, column = 0] = [0, 4, 8, 12].map((offset) =>
        bytes.readUInt32LE(at + offset),
      );
      if (length > 300 || line === 0 || line > 1e6 || column === 0 || column > 1e4) continue;
      const file = view(name, length);
      const text = file?.toString('latin1') ?? '';
      if (file === undefined || !sourceFile.test(text)) continue;
      files.set(text, file);
      bytes.fill(0, at, at + 16);
    }
  }
  for (const file of files.values()) file.fill(0);
  return [...files.keys()];
}

/**
 * Removes the messages of panics from a module that has the names of its functions. Fails if it finds none, because
 * the standard library may have named its functions anew.
 * @param {Buffer} source
 * @returns {{ bytes: Buffer, functions: string[], files: string[] }} the module, the functions that trap now, and the
 *   files whose places are removed
 */
export function silencePanics(source) {
  const bytes = Buffer.from(source);
  const contents = (/** @type {number} */ wanted) =>
    sectionsOf(bytes).flatMap(({ id, content }) => (id === wanted ? [content] : []));
  const imported = contents(section.import).reduce((sum, content) => sum + importedFunctions(content), 0);
  const names = contents(section.custom).find((content) => content.text() === 'name');
  if (names === undefined) throw new Error('the module has no names of functions');
  const nameOf = functionNames(names);
  const files = contents(section.data).flatMap((content) => clearPlaces(segmentsOf(content)));
  /** @type {string[]} */
  const functions = [];
  const parts = sectionsOf(bytes).flatMap(({ id, content }) => {
    const silent = id === section.code ? silentCode(content, (n) => nameOf.get(n + imported)) : undefined;
    functions.push(...(silent?.names ?? []));
    const rest = silent?.code ?? content.rest();
    return [Buffer.from([id]), encoded(rest.length), rest];
  });
  if (functions.length === 0 || files.length === 0) throw new Error('no panic was found in the module');
  return { bytes: Buffer.concat([bytes.subarray(0, 8), ...parts]), functions, files };
}
