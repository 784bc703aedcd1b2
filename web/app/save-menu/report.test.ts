import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createWords, english } from '../../i18n/index.ts';
import { filesToSave } from '../save/index.ts';
import type { Item } from '../state/item.ts';
import { fileNamed, pictureInfo } from '../state/testing/scripted-engine.ts';
import { type ReportRow, reportRows, toCsv, toJson } from './report.ts';

const words = createWords('en', english);
const NOW = new Date(Date.UTC(2026, 1, 28, 12, 30, 10));

function itemOf(id: number, path: string, phase: Item['phase']): Item {
  return { id, path, file: fileNamed(path), info: pictureInfo(4000, 3000), staysAnimated: false, phase };
}

function rows(...items: Item[]): Promise<ReportRow[]> {
  return reportRows(items, filesToSave(items, '{name}-{w}x{h}', NOW), words);
}

// Pages have it, Node has not.
beforeAll(() => vi.stubGlobal('isSecureContext', true));

const result = {
  blob: new Blob(['pixels']),
  format: 'jpeg',
  width: 1920,
  height: 1440,
  frames: 1,
  byteLength: 6,
  crc32: 0,
  memory: 0,
} as const;
const done = itemOf(1, 'trip/a.jpg', {
  phase: 'done',
  outputs: [{ ...result, frame: 0, warnings: [{ code: 'truncated', rows: 1, of: 2 }] }],
  resultKey: '',
  saved: false,
});
const failed = itemOf(2, 'b.jpg', { phase: 'failed', failure: { code: 'empty', detail: '' }, resultKey: null });
const kept = itemOf(3, 'c.jpg', {
  phase: 'kept',
  reason: 'already-smaller',
  rewrittenFor: null,
  resultKey: '',
  result: null,
});

describe('the report', () => {
  it('has sizes, bytes, formats, notes and the checksum of each file', async () => {
    const [first, second, third] = await rows(done, failed, kept);
    expect(first).toEqual({
      file: 'trip/a.jpg',
      state: 'resized',
      format: 'jpeg',
      width: 4000,
      height: 3000,
      bytes: done.file.size,
      saved_as: 'trip/a-1920x1440.jpg',
      saved_format: 'jpeg',
      saved_width: 1920,
      saved_height: 1440,
      saved_bytes: 6,
      notes: 'Part of this image is missing. The readable part was resized.',
      saved_sha256: createHash('sha256').update('pixels').digest('hex'),
    });
    expect(second).toMatchObject({ file: 'b.jpg', state: 'failed', saved_as: null, saved_sha256: null });
    expect(second?.notes).toMatch(/^This file is empty\./);
    expect(third).toMatchObject({ state: 'kept', saved_as: 'c.jpg', saved_width: 4000 });
    expect(third?.notes).toMatch(/^Already smaller/);
  });

  it('is JSON with the time', async () => {
    const report = JSON.parse(toJson(await rows(done), NOW));
    expect(report).toMatchObject({ made: '2026-02-28T12:30:10.000Z', files: [{ file: 'trip/a.jpg' }] });
  });

  it.each([['plain.jpg'], ['a, "b"\r\nc.jpg'], ['照片 – 1.jpg']])('is CSV that Python reads: %j', async (path) => {
    const csv = toCsv(await rows({ ...failed, path }));
    const script = 'import csv, io, json, sys\ntext = sys.stdin.buffer.read().decode("utf-8-sig")\n';
    const print = 'print(json.dumps(list(csv.DictReader(io.StringIO(text, newline="")))))';
    const read = JSON.parse(execFileSync('python3', ['-c', script + print], { input: csv, encoding: 'utf8' }));
    expect(read).toMatchObject([{ file: path, state: 'failed', saved_as: '' }]);
  });

  it.each(['=cmd.jpg', '+1.jpg', '-1.jpg', '@a.jpg'])('has no formula for %s', async (path) => {
    expect(toCsv(await rows({ ...failed, path })).split('\r\n')[1]).toMatch(/^'/);
  });
});
