// Saving: the results go to a writer, which downloads them, writes them into a folder or does something else.

import { resultName } from '../../domain/naming.ts';
import type { Message } from '../../i18n/messages.ts';
import { type Item, type ItemId, nameOf } from '../state/item.ts';
import type { Example } from '../state/plans.ts';
import type { Session } from '../state/session.ts';
import { makeDownload } from './archive.ts';
import { type FileToSave, filesToSave, isoDate } from './files.ts';

/** Writes files. Resolves to the message about it. */
export type Writer = (session: Session, files: readonly FileToSave[]) => Promise<Message>;

/**
 * Saves all results, or the result of one item, and shows the writer's message. Kept originals that can no longer be
 * read are left out.
 */
export async function saveResults(session: Session, write: Writer, only?: ItemId): Promise<void> {
  const { queue, notifications } = session;
  const isWanted = (item: Item) => only === undefined || only === item.id;
  const wanted = queue.items.get().filter(isWanted);
  const lost = await queue.checkOriginals(wanted.map(({ id }) => id));
  const files = resultFiles(session, only);
  if (files.length > 0) {
    const message = await write(session, files);
    queue.markSaved(files.map(({ item }) => item.id));
    notifications.show(message);
    if (lost > 0) notifications.show({ key: 'save.leftOut', values: { count: lost } }, { tone: 'critical' });
  } else if (lost > 0) {
    notifications.show({ key: 'failure.read' }, { tone: 'critical' });
  }
}

/** Returns the files of all results, or of one item, under the names that the settings give them. */
export function resultFiles({ queue, settings, platform }: Session, only?: ItemId): FileToSave[] {
  // Numbers in names count all results, so the name of a file does not depend on how it is saved.
  const files = filesToSave(queue.items.get(), settings.form.get().fileNames, platform.now());
  return only === undefined ? files : files.filter(({ item }) => item.id === only);
}

/** Returns the name that the image of the example gets. */
export function exampleName({ queue, settings, platform }: Session, { item, plan }: Example): string {
  if (plan.kind !== 'resize') return nameOf(item);
  const count = queue.items.get().length;
  const place = { index: 1, count, date: isoDate(platform.now()), originalName: nameOf(item) };
  return resultName(settings.form.get().fileNames, { ...place, size: plan.size, format: plan.format });
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
