// Finds results that earlier visits left, and deletes those that were saved or are more than a day old.

import { keepApart } from '../../domain/naming.ts';
import { makeDownload, type NamedFile, savedMessage } from '../save/index.ts';
import type { Session } from '../state/session.ts';
import { Visit } from './visits.ts';

/** Offers the results of visits that have ended, if there are any. */
export async function findResults(session: Session): Promise<void> {
  const visits: Visit[] = [];
  const files: NamedFile[] = [];
  for (const visit of await Visit.ended()) {
    const found = await visit.files(session.platform.now());
    if (found.length === 0) await visit.end();
    else visits.push(visit);
    files.push(...found);
  }
  if (files.length === 0) return;
  const paths = keepApart(files.map(({ path }) => path));
  const apart = files.map((file, i) => ({ ...file, path: paths[i] ?? file.path }));
  const { notifications, platform, recovered } = session;
  recovered.set({
    count: files.length,
    save: () =>
      session.whileSaving(async () => {
        const file = await makeDownload(apart);
        platform.download(file);
        notifications.show(savedMessage(file.name, file.blob.size));
        recovered.set(null);
        for (const visit of visits) await visit.markSaved();
      }),
    remove: async () => {
      recovered.set(null);
      for (const visit of visits) await visit.end();
    },
  });
  notifications.announce({ key: 'recovered.found', values: { count: files.length } });
}
