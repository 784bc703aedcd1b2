// Saves the results in one of the ways of the menu.

import type { Message, Words } from '../../i18n/index.ts';
import {
  DOWNLOAD_NAME,
  type FileToSave,
  flattened,
  makeArchive,
  resultFiles,
  savedMessage,
  saveResults,
  type Writer,
} from '../save/index.ts';
import type { Session } from '../state/session.ts';
import { appIconsHtml } from './app-icons-html.ts';
import { copyImage } from './clipboard.ts';
import { type Renamed, writeToFolder } from './folder.ts';
import { reportRows, toCsv, toJson } from './report.ts';
import { startSharing } from './sharing.ts';
import { srcsetHtml } from './srcset.ts';
import type { SaveWay } from './ways.ts';

/** Saves the results in a way. Call it in the handler of a click, where browsers allow all of them. */
export function saveBy(way: SaveWay, session: Session, words: Words): Promise<void> {
  return session.whileSaving(() => {
    switch (way) {
      case 'zip':
        return saveResults(session, archive);
      case 'folder':
        return saveToFolder(session);
      case 'each':
        return saveResults(session, oneByOne);
      case 'photos':
      case 'share':
        return startSharing(session);
      case 'copy':
        return copy(session);
      case 'srcset':
        return copyHtml(session, srcsetHtml(resultFiles(session)));
      case 'appIcons':
        return copyHtml(session, appIconsHtml());
      case 'csv':
      case 'json':
        return saveReport(way, session, words);
    }
  });
}

const archive: Writer = async ({ platform }, files) => {
  const file = await makeArchive(files);
  platform.download(file);
  return savedMessage(file.name, file.blob.size);
};

/** Browsers drop downloads that follow each other faster. */
const PAUSE_MILLISECONDS = 250;

const oneByOne: Writer = async ({ platform }, files) => {
  for (const file of flattened(files)) {
    platform.download(file);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  return { key: 'save.eachSaved', values: { count: files.length, size: sizeOf(files) } };
};

async function saveToFolder(session: Session): Promise<void> {
  const { notifications } = session;
  const folder = await pickFolder();
  if (folder === null) return;
  try {
    await saveResults(session, async (_, files) => {
      const renamed = await writeToFolder(folder, files);
      return folderMessage(folder.name, files, renamed);
    });
  } catch (error) {
    const reason = error instanceof DOMException ? REASONS[error.name] : undefined;
    if (reason === undefined) throw error;
    notifications.show(reason, { tone: 'critical' });
  }
}

/** Lets the visitor choose a folder; null if the dialog was closed. */
async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return (await window.showDirectoryPicker?.({ mode: 'readwrite', id: DOWNLOAD_NAME })) ?? null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Why writing into a folder failed, by the name of the browser's error. */
const REASONS: Readonly<Record<string, Message>> = {
  QuotaExceededError: { key: 'save.problem.full' },
  NotAllowedError: { key: 'save.problem.denied' },
  NoModificationAllowedError: { key: 'save.problem.denied' },
};

function folderMessage(folder: string, files: readonly FileToSave[], renamed: readonly Renamed[]): Message {
  const values = { folder, count: files.length, size: sizeOf(files) };
  const [first] = renamed;
  if (first === undefined) return { key: 'save.folderSaved', values };
  if (renamed.length === 1) return { key: 'save.folderSaved.renamed', values: { ...values, ...first } };
  return { key: 'save.folderSaved.numbered', values: { ...values, renamed: renamed.length } };
}

async function copy(session: Session): Promise<void> {
  const { notifications } = session;
  const [file] = resultFiles(session);
  if (file === undefined) return;
  try {
    await copyImage(session, file.blob);
    notifications.show({ key: 'save.copied' });
  } catch {
    notifications.show({ key: 'save.problem.copy' }, { tone: 'critical' });
  }
}

async function copyHtml({ notifications }: Session, html: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(html);
    notifications.show({ key: 'save.srcsetCopied' });
  } catch {
    notifications.show({ key: 'save.problem.copy' }, { tone: 'critical' });
  }
}

async function saveReport(kind: 'csv' | 'json', session: Session, words: Words): Promise<void> {
  const items = session.queue.items.get();
  const { platform, notifications } = session;
  const rows = await reportRows(items, resultFiles(session), words);
  const text = kind === 'csv' ? toCsv(rows) : toJson(rows, platform.now());
  const type = kind === 'csv' ? 'text/csv' : 'application/json';
  const file = { name: `${DOWNLOAD_NAME}.${kind}`, blob: new Blob([text], { type }) };
  platform.download(file);
  notifications.show(savedMessage(file.name, file.blob.size));
}

function sizeOf(files: readonly FileToSave[]) {
  return { bytes: files.reduce((sum, { blob }) => sum + blob.size, 0), decimals: 1 };
}
