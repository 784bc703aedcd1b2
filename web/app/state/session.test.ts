import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Download } from '../save/index.ts';
import { safeStorage } from './safe-storage.ts';
import { Session } from './session.ts';
import { fileNamed, pictureInfo, resultOf, ScriptedEngine } from './testing/scripted-engine.ts';

const NOW = new Date(2026, 1, 28, 12, 30, 10);

let engine: ScriptedEngine;
let downloads: Download[];
let session: Session;
let platformDownload: (file: Download) => void;

beforeEach(async () => {
  engine = new ScriptedEngine();
  downloads = [];
  platformDownload = (file) => downloads.push(file);
  session = new Session({
    createEngine: () => engine,
    download: (file) => platformDownload(file),
    focusRow: () => {},
    loadArchives: () => import('../archives/index.ts'),
    loadAnnouncer: () => import('./run-announcer.ts'),
    storage: safeStorage(() => {
      throw new Error('blocked');
    }),
    now: () => NOW,
  });
  session.start();
  await session.queue.load();
});

/** A file that can be read until `isGone` is set, like a file that is moved. */
class Movable extends File {
  isGone = false;

  override slice(start?: number, end?: number): Blob {
    if (!this.isGone) return super.slice(start, end);
    const gone = new Blob([]);
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    return gone;
  }
}

async function keep(file: File): Promise<void> {
  session.queue.add([{ file, path: file.name }]);
  await engine.probeAll(pictureInfo(300, 200));
  session.queue.resize();
}

async function shrink(name: string): Promise<void> {
  session.queue.add([{ file: fileNamed(name), path: name }]);
  await engine.probeAll(pictureInfo(4000, 3000));
  session.queue.resize();
  await engine.finish(resultOf(engine.runs[0]!.job));
}

const shown = () => session.notifications.toasts.get().map(({ message }) => message);

describe('saving', () => {
  it('downloads one file and shows a message', async () => {
    await shrink('a.jpg');
    await session.save();
    expect(downloads.map(({ name }) => name)).toEqual(['a-1920x1440.jpg']);
    expect(shown()).toEqual([
      { key: 'status.saved', values: { name: 'a-1920x1440.jpg', size: { bytes: 100, decimals: 1 } } },
    ]);
    expect(session.view.get().counts.unsaved).toBe(0);
  });

  it('skips a kept original that was moved, and shows a message and a failure in its row', async () => {
    const original = new Movable(['tiny'], 'tiny.jpg');
    await keep(original);
    await shrink('a.jpg');
    original.isGone = true;
    await session.save();
    expect(downloads.map(({ name }) => name)).toEqual(['a-1920x1440.jpg']);
    expect(shown()).toMatchObject([{ key: 'save.leftOut', values: { count: 1 } }]);
    expect(session.queue.items.get().map(({ phase }) => phase)).toMatchObject([
      { phase: 'failed', failure: { code: 'read' }, resultKey: null },
      { phase: 'done', saved: true },
    ]);
  });

  it('shows a failure if the only file cannot be read', async () => {
    const original = new Movable(['tiny'], 'tiny.jpg');
    await keep(original);
    original.isGone = true;
    await session.save();
    expect(downloads).toEqual([]);
    expect(shown()).toEqual([{ key: 'failure.read' }]);
  });
});

describe('a failed save', () => {
  afterEach(() => {
    vi.doUnmock('../save/index.ts');
    vi.resetModules();
    vi.unstubAllGlobals();
  });

  it('whose chunk did not load shows a message and succeeds on retry', async () => {
    await shrink('a.jpg');
    vi.doMock('../save/index.ts', () => {
      throw new Error('Failed to fetch dynamically imported module');
    });
    await session.save();
    expect(shown()).toEqual([{ key: 'save.problem' }]);
    vi.doUnmock('../save/index.ts');
    vi.resetModules();
    await session.save();
    expect(downloads).toHaveLength(1);
  });

  it.each([
    ['of a bug is reported', new TypeError('a bug'), 1],
    ['of a full disk is not reported', new DOMException('disk full', 'NotReadableError'), 0],
  ])('because %s', async (_why, error, reports) => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    platformDownload = () => {
      throw error;
    };
    await shrink('a.jpg');
    await session.save();
    expect(shown()).toEqual([{ key: 'save.problem' }]);
    expect(report).toHaveBeenCalledTimes(reports);
    expect(session.saving.get()).toBe(false);
  });
});

describe('removing', () => {
  const names = () => session.queue.items.get().map(({ path }) => path);
  const keys = () => session.notifications.toasts.get().map(({ message }) => message.key);
  const offer = () => session.notifications.toasts.get().find(({ undo }) => undo)!;

  beforeEach(async () => {
    await shrink('a.jpg');
    await shrink('b.jpg');
    session.remove(session.queue.list.get()[0]!.id);
  });

  it('can be undone while a later message is visible', async () => {
    await session.save();
    expect(keys()).toEqual(['status.removed', 'status.saved']);
    session.undo();
    expect(names()).toEqual(['a.jpg', 'b.jpg']);
    expect(keys()).toEqual(['status.saved']);
  });

  it('offers one Undo for all removals, next to one other message', async () => {
    await session.save();
    await session.save();
    session.remove(session.queue.list.get()[0]!.id);
    expect(keys()).toEqual(['status.saved', 'status.removed']);
    session.undo();
    expect(names()).toEqual(['a.jpg', 'b.jpg']);
  });

  it('is final after the Undo toast is closed, while another message is visible', async () => {
    await session.save();
    session.dismiss(offer());
    session.undo();
    expect(names()).toEqual(['b.jpg']);
    expect(keys()).toEqual(['status.saved']);
  });

  it('can be undone after only the other message is closed', async () => {
    await session.save();
    session.dismiss(session.notifications.toasts.get()[1]!);
    session.undo();
    expect(names()).toEqual(['a.jpg', 'b.jpg']);
  });
});

describe('the list of failed items only', () => {
  const unusable = { failure: { code: 'empty', detail: '' } } as const;
  const addFailed = async () => {
    session.queue.add([{ file: fileNamed('empty.jpg'), path: 'empty.jpg' }]);
    await engine.probeAll(unusable);
  };

  it('ends with the button, with the last failed item, and with new files', async () => {
    await addFailed();
    session.toggleFailed();
    expect(session.onlyFailed.get()).toBe(true);
    session.toggleFailed();
    expect(session.onlyFailed.get()).toBe(false);

    session.toggleFailed();
    session.remove(session.queue.list.get()[0]!.id);
    expect(session.onlyFailed.get()).toBe(false);

    await addFailed();
    session.toggleFailed();
    await session.add({ files: [{ file: fileNamed('a.jpg'), path: 'a.jpg' }], emptyFolders: [] });
    expect(session.onlyFailed.get()).toBe(false);
  });
});
