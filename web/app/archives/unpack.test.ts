import { describe, expect, it } from 'vitest';
import { crc32 } from '../../zip/crc32.ts';
import { zipFrame } from '../../zip/zip.ts';
import { unpack } from './unpack.ts';

const time = { year: 2019, month: 7, day: 4, hours: 9, minutes: 8, seconds: 6 };

/** Makes an archive. `forge` changes its bytes from the first directory record on. */
function archive(names: readonly string[], forge: (record: DataView) => void = () => {}): File {
  const pixels = new TextEncoder().encode('pixels');
  const { headers, directory } = zipFrame(
    names.map((path) => ({ path, byteLength: pixels.length, crc32: crc32(pixels), time })),
  );
  forge(new DataView(directory.buffer));
  return new File([...headers.flatMap((header) => [header, pixels]), directory], 'holiday.zip');
}

const added = (file: File) => ({ files: [{ file, path: file.name }], emptyFolders: [] });
const large = (record: DataView) => {
  record.setUint16(10, 8, true);
  record.setUint32(24, 0xf000_0000, true);
};

describe('an archive', () => {
  it('is replaced by its images, with their folders and dates', async () => {
    const other = new File([], 'b.jpg');
    const file = archive(['day 1/a.jpg', 'notes.txt', '__MACOSX/._a.jpg', 'c.png']);
    const { files } = await unpack({
      files: [
        { file, path: file.name },
        { file: other, path: 'b.jpg' },
      ],
      emptyFolders: [],
    });
    expect(files.map(({ path }) => path)).toEqual(['holiday/day 1/a.jpg', 'holiday/c.png', 'b.jpg']);
    expect(files[0]?.file.lastModified).toBe(new Date(2019, 6, 4, 9, 8, 6).getTime());
    expect(await files[0]?.file.text()).toBe('pixels');
  });

  it('without images counts as an empty folder', async () => {
    expect(await unpack(added(archive(['notes.txt'])))).toMatchObject({ files: [], emptyFolders: ['holiday.zip'] });
  });

  it.each([
    ['with a password', 'archive.password', (record: DataView) => record.setUint16(8, 0x0801, true)],
    ['that would take too much memory', 'archive.large', large],
    ['of another compression', 'archive.broken', (record: DataView) => record.setUint16(10, 93, true)],
  ])('%s brings a message', async (_, key, forge) => {
    const { files, problems } = await unpack(added(archive(['a.jpg'], forge)));
    expect([files, problems]).toEqual([[], [{ key, values: { name: 'holiday.zip' } }]]);
  });
});
