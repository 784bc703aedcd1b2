// Archives that Python's zipfile writes, and damaged ones.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { BrokenZip, readZip } from './unzip.ts';
import { zipFrame } from './zip.ts';

/** Lets Python write an archive. @param body statements that use `z`. */
function python(body: string, options = ''): Buffer {
  const script = `import io, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, 'w'${options}) as z:
    ${body}
sys.stdout.buffer.write(out.getvalue())`;
  return execFileSync('python3', ['-c', script], { maxBuffer: 1 << 26 });
}

const MEMBER = "zipfile.ZipInfo('trip/照片.png', (2019, 7, 4, 9, 8, 6))";
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

describe('an archive', () => {
  test.each([
    ['stored', `z.writestr(${MEMBER}, b'pixels' * 1000)`, false],
    ['deflated', `z.writestr(${MEMBER}, b'pixels' * 1000, zipfile.ZIP_DEFLATED)`, true],
    [
      'with a comment and a folder',
      `z.mkdir('trip'); z.writestr(${MEMBER}, b'pixels' * 1000); z.comment = b'c'`,
      false,
    ],
  ])('%s is read', async (_, body, isCompressed) => {
    const members = await readZip(blobOf(python(body)));
    expect(members).toMatchObject([
      { path: 'trip/照片.png', byteLength: 6000, modified: new Date(2019, 6, 4, 9, 8, 6), isCompressed },
    ]);
    expect(await (await members[0]!.read()).text()).toBe('pixels'.repeat(1000));
  });

  test('with ZIP64 records is read', async () => {
    const body = "f = z.open('a.png', 'w', force_zip64=True); f.write(b'pixels'); f.close()";
    const [member] = await readZip(blobOf(python(body)));
    expect(await (await member!.read()).text()).toBe('pixels');
    const count = 70_000;
    const time = { year: 2026, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0 };
    const many = Array.from({ length: count }, (_, i) => ({ path: `${i}.png`, byteLength: 0, crc32: 0, time }));
    const { headers, directory } = zipFrame(many);
    expect(await readZip(new Blob([...headers, directory]))).toHaveLength(count);
  });
});

describe('a damaged archive', () => {
  const whole = python(`z.writestr(${MEMBER}, b'pixels' * 1000, zipfile.ZIP_DEFLATED)`);

  test('is refused wherever it is cut', async () => {
    for (let length = 0; length < whole.length; length += 1) {
      await expect(readZip(blobOf(whole.subarray(0, length)))).rejects.toBeInstanceOf(BrokenZip);
    }
  });

  test('with any changed byte is read right, or refused', async () => {
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 0xff;
      try {
        for (const member of await readZip(blobOf(bytes))) await member.read();
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenZip);
      }
    }
  });

  test('that claims a smaller size is refused', async () => {
    const bytes = Buffer.from(whole);
    const directory = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(100, directory + 24);
    const [member] = await readZip(blobOf(bytes));
    await expect(member!.read()).rejects.toBeInstanceOf(BrokenZip);
  });
});
