// Text as UTF-8: what ZIP stores and what file systems count. The domain has no `TextEncoder`, which is not part of the
// language.

/** RFC 3629 §3; a surrogate without its other half becomes U+FFFD. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Array.from(text, codePointBytes).flat());
}

/** As much of the text's beginning as fits into `limit` bytes, whole characters only. */
export function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += codePointBytes(character).length;
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function codePointBytes(character: string): number[] {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), tail(point)];
  if (point >= 0xd800 && point < 0xe000) return codePointBytes('\ufffd');
  if (point < 0x1_0000) return [0xe0 | (point >> 12), tail(point >> 6), tail(point)];
  return [0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point)];
}

function tail(bits: number): number {
  return 0x80 | (bits & 0x3f);
}
