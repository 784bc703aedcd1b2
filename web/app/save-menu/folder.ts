// Writes files into a folder on the device. It never overwrites a file: a name that exists gets a number.

import { numberedPath } from '../../domain/naming.ts';
import type { FileToSave } from '../save/index.ts';

declare global {
  interface Window {
    /** Not in every browser, and not in the types of the DOM. */
    readonly showDirectoryPicker?: (options: {
      readonly id: string;
      readonly mode: 'readwrite';
    }) => Promise<FileSystemDirectoryHandle>;
  }
}

/** A file that got another name because its own exists in the folder. */
export interface Renamed {
  readonly name: string;
  readonly to: string;
}

/** Writes the files with their folders. Resolves to those that got another name. */
export async function writeToFolder(
  root: FileSystemDirectoryHandle,
  files: readonly Pick<FileToSave, 'path' | 'blob'>[],
): Promise<Renamed[]> {
  const renamed: Renamed[] = [];
  for (const { path, blob } of files) {
    const folders = path.split('/');
    const name = folders.pop() ?? path;
    let folder = root;
    for (const part of folders) folder = await folder.getDirectoryHandle(part, { create: true });
    const to = await freeName(folder, name);
    await write(folder, to, blob);
    if (to !== name) renamed.push({ name, to });
  }
  return renamed;
}

/** Returns the name, or the name with the first number that is free. */
async function freeName(folder: FileSystemDirectoryHandle, name: string): Promise<string> {
  let free = name;
  for (let number = 2; await exists(folder, free); number += 1) free = numberedPath(name, number);
  return free;
}

async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'NotFoundError') return false;
    // A folder has the name.
    if (error.name === 'TypeMismatchError') return true;
    throw error;
  }
}

/** Writes a new file. If that fails, no empty file is left. */
async function write(folder: FileSystemDirectoryHandle, name: string, blob: Blob): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true });
  try {
    // The stream closes the file at its end, and drops what was written if it fails.
    await blob.stream().pipeTo(await file.createWritable());
  } catch (error) {
    await folder.removeEntry(name).catch(() => undefined);
    throw error;
  }
}
