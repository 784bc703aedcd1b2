// The results of visits in the browser's origin-private storage: for each visit a folder `results/<visit>` with the files
// `0`, `1`, …, and for each file its facts in `0.json`, `1.json`, …, written after it. A visit holds a lock of the same
// name while it needs its folder, so that other tabs can tell a visit that has ended.

import type { NamedFile } from '../save/index.ts';

const FOLDER = 'results';
/** The name of the empty file in the folder of a visit whose results were saved. */
const SAVED = 'saved';
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The facts about a file that its bytes do not tell. */
interface Facts {
  readonly path: string;
  readonly crc32: number | null;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Whether the browser has what this module needs. */
export function canStore(): boolean {
  const hasFiles = 'storage' in navigator && 'getDirectory' in navigator.storage && 'locks' in navigator;
  return hasFiles && 'createWritable' in FileSystemFileHandle.prototype;
}

async function visitsFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

/** The folder of one visit. */
export class Visit {
  readonly #name: string;
  readonly #folder: FileSystemDirectoryHandle;
  readonly #unlock: () => void;

  private constructor(name: string, folder: FileSystemDirectoryHandle, unlock: () => void) {
    this.#name = name;
    this.#folder = folder;
    this.#unlock = unlock;
  }

  /** Begins a visit with an empty folder. */
  static async begin(): Promise<Visit> {
    const name = crypto.randomUUID();
    const unlock = await lock(name);
    if (unlock === null) throw new Error(`another visit is called ${name}`);
    return new Visit(name, await (await visitsFolder()).getDirectoryHandle(name, { create: true }), unlock);
  }

  /** Returns the visits that have ended. They belong to this tab until it is closed. */
  static async ended(): Promise<Visit[]> {
    const visits: Visit[] = [];
    for await (const [name, folder] of (await visitsFolder()).entries()) {
      const unlock = await lock(name);
      if (unlock !== null && folder.kind === 'directory') visits.push(new Visit(name, folder, unlock));
    }
    return visits;
  }

  /** Stores a file under a number. */
  async write(number: number, { path, blob, crc32, modified }: NamedFile): Promise<void> {
    const facts: Facts = { path, crc32, modified: modified.getTime() };
    await this.#write(String(number), blob);
    await this.#write(`${number}.json`, JSON.stringify(facts));
  }

  /** Deletes the file of a number. */
  async delete(number: number): Promise<void> {
    for (const name of [`${number}.json`, String(number)]) {
      // The file is missing if it could not be written.
      await this.#folder.removeEntry(name).catch(() => undefined);
    }
  }

  /** Returns the files in their order; none if they were saved, or if the last is more than a day older than `now`. */
  async files(now: Date): Promise<NamedFile[]> {
    const found = new Map<number, File>();
    for await (const [name, handle] of this.#folder.entries()) {
      if (name === SAVED) return [];
      if (name.endsWith('.json') && handle.kind === 'file')
        found.set(Number.parseInt(name, 10), await handle.getFile());
    }
    const last = Math.max(...[...found.values()].map(({ lastModified }) => lastModified));
    if (now.getTime() - last > DAY_MILLISECONDS) return [];
    const numbers = [...found.entries()].sort(([one], [other]) => one - other);
    return Promise.all(
      numbers.map(async ([number, json]) => {
        const { path, crc32, modified } = JSON.parse(await json.text()) as Facts;
        const blob = await (await this.#folder.getFileHandle(String(number))).getFile();
        return { path, blob, crc32, modified: new Date(modified) };
      }),
    );
  }

  /** Marks the files as saved: they are no longer found, but a download can still read them. */
  async markSaved(): Promise<void> {
    await this.#write(SAVED, '');
  }

  /** Deletes the folder. */
  async end(): Promise<void> {
    await (await visitsFolder()).removeEntry(this.#name, { recursive: true });
    this.#unlock();
  }

  async #write(name: string, content: Blob | string): Promise<void> {
    const file = await this.#folder.getFileHandle(name, { create: true });
    const writable = await file.createWritable();
    await writable.write(content);
    await writable.close();
  }
}

/** Takes the lock of a visit until the returned function is called or the tab is closed; null if it is taken. */
function lock(visit: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`${FOLDER}/${visit}`, { ifAvailable: true }, (granted) => {
        if (granted === null) return resolve(null);
        return new Promise<void>((unlock) => resolve(unlock));
      })
      .catch(reject);
  });
}
