// Reads files, with their folders, from a drop, a paste or a file input. It does not change state. A file that was
// chosen directly is always included, so that the list can show why it cannot be used. Files in a folder are included
// only if they look like images, because folders contain other files too.

import { formatOfExtension } from '../../domain/formats.ts';
import type { AddedFile, AddedFiles } from '../state/item.ts';

/** Returns the files of a file input. With `webkitdirectory` the path is in `webkitRelativePath`, otherwise empty. */
export function fromFileList(list: Iterable<File>): AddedFiles {
  const files = [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  return { files, emptyFolders: [] };
}

export function fromFolderInput(list: Iterable<File>): AddedFiles {
  const { files } = fromFileList(list);
  const images = files.filter(({ file }) => looksLikeImage(file)).sort((a, b) => inOrder(a.path, b.path));
  const folder = files[0]?.path.split('/')[0] ?? '';
  return { files: images, emptyFolders: images.length === 0 ? [folder] : [] };
}

/**
 * Returns the files and folders of a drop. Call it in the event handler: the entries are not available afterwards. If
 * there are no entries (in a synthetic event), it returns the plain files.
 */
export async function fromTransfer(transfer: DataTransfer): Promise<AddedFiles> {
  const plain = [...transfer.files];
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  if (!entries.some((entry) => entry.isDirectory)) return fromFileList(plain);
  const found = await Promise.all(entries.map(walk));
  return {
    files: found.flat(),
    emptyFolders: entries.filter((entry, i) => entry.isDirectory && found[i]?.length === 0).map(({ name }) => name),
  };
}

async function walk(root: FileSystemEntry): Promise<AddedFile[]> {
  const found: AddedFile[] = [];
  const open = [root];
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const path = entry.fullPath.replace(/^\/+/, '');
    if (isDirectory(entry)) {
      open.unshift(...(await childrenOf(entry)));
    } else if (isFile(entry)) {
      const file = await fileOf(entry);
      if (file !== null && (entry === root || looksLikeImage(file))) found.push({ file, path: path || file.name });
    }
  }
  return found;
}

/** Returns the entries of a folder sorted by name; none if the folder cannot be read. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // Each call returns some entries (Chromium: 100); an empty list is the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) break;
    children.push(...some);
  }
  return children.sort((a, b) => inOrder(a.name, b.name));
}

/** Compares names or paths; numbers in them are compared by their value. */
function inOrder(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true });
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function looksLikeImage({ name, type }: File): boolean {
  if (name.startsWith('.')) return false;
  return type.startsWith('image/') || formatOfExtension(name.slice(name.lastIndexOf('.') + 1)) !== null;
}

/**
 * Returns the images on the clipboard, for a Paste button, or the drawing whose markup is on it, with the name
 * `drawingName`. Rejects if the browser denies access.
 */
export async function fromClipboard(clipboard: Clipboard, drawingName: string): Promise<AddedFiles> {
  const items = await clipboard.read();
  const files: AddedFile[] = [];
  for (const item of items) {
    const type = item.types.find((name) => name.startsWith('image/'));
    if (type === undefined) continue;
    const name = `image.${type.slice('image/'.length).replace(/\+.*$/, '')}`;
    files.push({ file: new File([await item.getType(type)], name, { type }), path: name });
  }
  if (files.length > 0) return { files, emptyFolders: [] };
  const [text = '', html = ''] = await Promise.all(
    ['text/plain', 'text/html'].map(async (type) => {
      const item = items.find(({ types }) => types.includes(type));
      return (await item?.getType(type))?.text();
    }),
  );
  return fromMarkup({ text, html }, drawingName);
}

/** Returns the drawing whose markup was pasted; no files if the texts are no drawing. */
export async function fromMarkup({ text, html }: PastedTexts, name: string): Promise<AddedFiles> {
  if (!`${text}${html}`.includes('svg')) return { files: [], emptyFolders: [] };
  const { svgOfHtml, svgOfText } = await import('./svg-markup.ts');
  const svg = svgOfText(text) ?? svgOfHtml(html);
  const files = svg === null ? [] : [{ file: new File([svg], name, { type: 'image/svg+xml' }), path: name }];
  return { files, emptyFolders: [] };
}

/** The text on a clipboard, and the same with the markup of a page. */
export interface PastedTexts {
  readonly text: string;
  readonly html: string;
}
