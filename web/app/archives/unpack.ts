// Takes the images out of the ZIP archives among added files. Folders stay; a folder with the name of the archive holds
// them.

import { formatOfExtension } from '../../domain/formats.ts';
import { splitName } from '../../domain/naming.ts';
import type { Message } from '../../i18n/messages.ts';
import { BrokenZip, readZip, type ZipMember } from '../../zip/unzip.ts';
import type { AddedFile, AddedFiles } from '../state/item.ts';

/** What is unpacked at most: compressed members take memory, and a small archive can claim any size. */
const MOST_BYTES = 2 ** 31;
const MOST_FILES = 10_000;

/** Files without archives, and messages about archives that could not be read. */
export interface Unpacked extends AddedFiles {
  readonly problems: readonly Message[];
}

function isArchive({ path }: Pick<AddedFile, 'path'>): boolean {
  return /\.zip$/i.test(path);
}

/** Replaces each archive by its images. An archive without images counts as an empty folder. */
export async function unpack({ files, emptyFolders }: AddedFiles): Promise<Unpacked> {
  const all: AddedFile[] = [];
  const empty = [...emptyFolders];
  const problems: Message[] = [];
  for (const added of files) {
    if (!isArchive(added)) {
      all.push(added);
      continue;
    }
    const found = await imagesIn(added);
    if ('key' in found) problems.push(found);
    else if (found.length === 0) empty.push(added.file.name);
    else all.push(...found);
  }
  return { files: all, emptyFolders: empty, problems };
}

/** Returns the images of an archive, or the message about why it cannot be used. */
async function imagesIn({ file, path }: AddedFile): Promise<readonly AddedFile[] | Message> {
  const values = { name: file.name };
  try {
    const members = (await readZip(file)).filter(isImage);
    const unpacked = members.reduce((sum, { byteLength, isCompressed }) => sum + (isCompressed ? byteLength : 0), 0);
    if (members.length > MOST_FILES || unpacked > MOST_BYTES) return { key: 'archive.large', values };
    if (members.some(({ isEncrypted }) => isEncrypted)) return { key: 'archive.password', values };
    const folder = path.slice(0, -'.zip'.length);
    const found: AddedFile[] = [];
    for (const member of members) found.push(await fileOf(member, folder));
    return found;
  } catch (error) {
    // A DOMException: the file was moved, or the disk is full.
    if (error instanceof BrokenZip || error instanceof DOMException) return { key: 'archive.broken', values };
    throw error;
  }
}

async function fileOf(member: ZipMember, folder: string): Promise<AddedFile> {
  const name = nameOf(member);
  const file = new File([await member.read()], name, { lastModified: member.modified.getTime() });
  return { file, path: `${folder}/${member.path}` };
}

/** Whether a member looks like an image. macOS adds a hidden file to each file. */
function isImage(member: ZipMember): boolean {
  const name = nameOf(member);
  return !name.startsWith('.') && formatOfExtension(splitName(name).extension) !== null;
}

function nameOf({ path }: ZipMember): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
