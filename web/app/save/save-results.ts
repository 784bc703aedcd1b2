// Saving: the results go to a writer, which downloads them, writes them into a folder or does something else.

import type { Message } from '../../i18n/messages.ts';
import type { Item, ItemId } from '../state/item.ts';
import type { Session } from '../state/session.ts';
import { makeDownload } from './archive.ts';
import { type FileToSave, filesToSave } from './files.ts';

/** Writes files. Resolves to the message about it. */
export type Writer = (session: Session, files: readonly FileToSave[]) => Promise<Message>;

/**
 * Saves all results, or the result of one item, and shows the writer's message. Kept originals that can no longer be
 * read are left out.
 */
export async function saveResults(session: Session, write: Writer, only?: ItemId): Promise<void> {
  const { queue, notifications } = session;
  const isWanted = (item: Item) => only === undefined || only === item.id;
  const wanted = () => queue.items.get().filter(isWanted);
  const lost = await queue.checkOriginals(wanted().map(({ id }) => id));
  const items = wanted();
  const files = resultFiles(session, items);
  if (files.length > 0) {
    const message = await write(session, files);
    queue.markSaved(items.map(({ id }) => id));
    notifications.show(message);
    if (lost > 0) notifications.show({ key: 'save.leftOut', values: { count: lost } }, { tone: 'critical' });
  } else if (lost > 0) {
    notifications.show({ key: 'failure.read' }, { tone: 'critical' });
  }
}

/** Returns the files of items under the names that the settings give them. */
export function resultFiles({ settings, platform }: Session, items: readonly Item[]): FileToSave[] {
  return filesToSave(items, settings.form.get().fileNames, platform.now());
}

/** Downloads one file as it is, several as an archive. */
export const download: Writer = async ({ platform }, files) => {
  const file = await makeDownload(files);
  platform.download(file);
  return savedMessage(file.name, file.blob.size);
};

export function savedMessage(name: string, bytes: number): Message {
  return { key: 'status.saved', values: { name, size: { bytes, decimals: 1 } } };
}
