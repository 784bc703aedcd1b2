// Drops, pastes and file inputs. Objects with the few properties that are read replace the browser's.
import { describe, expect, it } from 'vitest';
import { fromClipboard, fromFileList, fromFolderInput, fromMarkup, fromTransfer } from './intake.ts';

type Tree = { readonly [name: string]: Tree | string };

const file = (name: string, type = '') => new File(['x'], name, { type });

/** Makes a file as a `webkitdirectory` input returns it. */
const inFolder = (path: string, type = '') =>
  Object.assign(file(path.slice(path.lastIndexOf('/') + 1), type), { webkitRelativePath: path });

/**
 * Makes an entry of a dropped tree: a string is the type of a file, an object is a folder that is read in steps of two.
 */
function entryOf(name: string, node: Tree | string, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  if (typeof node === 'string') {
    const read = (resolve: (file: File) => void, reject: () => void) =>
      node === 'unreadable' ? reject() : resolve(file(name, node));
    return { isFile: true, isDirectory: false, name, fullPath, file: read } as unknown as FileSystemEntry;
  }
  const children = Object.entries(node).map(([child, below]) => entryOf(child, below, fullPath));
  const createReader = () => {
    let at = 0;
    return {
      readEntries: (resolve: (entries: FileSystemEntry[]) => void) => {
        resolve(children.slice(at, at + 2));
        at += 2;
      },
    };
  };
  return { isFile: false, isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry;
}

function transferOf(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, node]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, node),
  }));
  const files = Object.entries(tree).flatMap(([name, node]) => (typeof node === 'string' ? [file(name, node)] : []));
  return { items, files } as unknown as DataTransfer;
}

describe('files of a file input', () => {
  it('include every chosen file of any type', () => {
    const { files, emptyFolders } = fromFileList([file('a.jpg'), file('notes.txt')]);
    expect(files.map(({ path }) => path)).toEqual(['a.jpg', 'notes.txt']);
    expect(emptyFolders).toEqual([]);
  });

  it('of a folder include only images, recognised by name or type', () => {
    const { files } = fromFolderInput([
      inFolder('trip/a.JPG'),
      inFolder('trip/readme.txt'),
      inFolder('trip/.hidden.jpg'),
      inFolder('trip/day 1/no extension', 'image/png'),
    ]);
    expect(files.map(({ path }) => path)).toEqual(['trip/a.JPG', 'trip/day 1/no extension']);
  });

  it('of a folder are sorted by path in numeric order', () => {
    const { files } = fromFolderInput(['trip/10.jpg', 'trip/9.jpg', 'day/1.jpg'].map((path) => inFolder(path)));
    expect(files.map(({ path }) => path)).toEqual(['day/1.jpg', 'trip/9.jpg', 'trip/10.jpg']);
  });

  it("of a folder without images report the folder's name", () => {
    expect(fromFolderInput([inFolder('papers/a.txt')])).toEqual({ files: [], emptyFolders: ['papers'] });
  });
});

describe('files of a drop', () => {
  it('without folders include all files', async () => {
    const { files } = await fromTransfer(transferOf({ 'a.jpg': 'image/jpeg', 'notes.txt': 'text/plain' }));
    expect(files.map(({ path }) => path)).toEqual(['a.jpg', 'notes.txt']);
  });

  it('of a folder include its images at any depth, sorted by name in numeric order', async () => {
    const trip = { '10.jpg': '', '9.jpg': '', 'b.txt': '', day: { 'c.png': '', 'd.png': '', 'e.png': '' } };
    const { files, emptyFolders } = await fromTransfer(transferOf({ trip, 'chosen.txt': 'text/plain' }));
    expect(files.map(({ path }) => path)).toEqual([
      'trip/9.jpg',
      'trip/10.jpg',
      'trip/day/c.png',
      'trip/day/d.png',
      'trip/day/e.png',
      'chosen.txt',
    ]);
    expect(emptyFolders).toEqual([]);
  });

  it('report the names of folders without images', async () => {
    const { files, emptyFolders } = await fromTransfer(transferOf({ papers: { 'a.txt': '' }, trip: { 'a.jpg': '' } }));
    expect(files.map(({ path }) => path)).toEqual(['trip/a.jpg']);
    expect(emptyFolders).toEqual(['papers']);
  });

  it('exclude a file that cannot be read', async () => {
    const { files } = await fromTransfer(transferOf({ trip: { 'a.jpg': 'unreadable', 'b.jpg': '' } }));
    expect(files.map(({ path }) => path)).toEqual(['trip/b.jpg']);
  });
});

/** A clipboard whose items have these types and contents. */
function clipboardOf(...items: Record<string, string>[]): Clipboard {
  const read = items.map((item) => ({
    types: Object.keys(item),
    getType: (type: string) => Promise.resolve(new Blob([item[type] ?? ''], { type })),
  }));
  return { read: () => Promise.resolve(read) } as unknown as Clipboard;
}

it('images from the clipboard are named after their type', async () => {
  const items = [{ 'text/plain': '<svg/>' }, { 'text/html': '', 'image/png': 'x' }, { 'image/svg+xml': '<svg/>' }];
  const { files } = await fromClipboard(clipboardOf(...items), 'pasted.svg');
  expect(files.map(({ path, file }) => [path, file.type])).toEqual([
    ['image.png', 'image/png'],
    ['image.svg', 'image/svg+xml'],
  ]);
});

describe('markup of a drawing on the clipboard', () => {
  it('becomes a file', async () => {
    const { files } = await fromClipboard(clipboardOf({ 'text/plain': '<svg xmlns="a"/>' }), 'pasted.svg');
    expect(files.map(({ path, file }) => [path, file.name, file.type])).toEqual([
      ['pasted.svg', 'pasted.svg', 'image/svg+xml'],
    ]);
    expect(await files[0]?.file.text()).toBe('<svg xmlns="a"/>');
  });

  it('is found in the text or in the copied part of a page', async () => {
    const found = async (text: string, html: string) => (await fromMarkup({ text, html }, 'a.svg')).files.length;
    expect([await found('<svg/>', ''), await found('hello', '<meta><svg></svg>')]).toEqual([1, 1]);
    expect([await found('hello', '<p>svg'), await found('', '')]).toEqual([0, 0]);
  });
});
