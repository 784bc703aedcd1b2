// Drawings in Node: the same bytes as in the browsers (web/engine/page/svg.browser.test.ts).
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DRAWING, DRAWING_JOB, DRAWING_SHA256 } from '../testing/drawing.ts';
import { isFailed, probe, type ResizeJob, run } from './index.ts';

const drawing = Buffer.from(DRAWING);

/** The bytes of a result. */
function bytesOf(job: ResizeJob): Uint8Array {
  const outcome = run(drawing, job);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: job.output.format, warnings: [] });
  return outcome.bytes;
}

test('the header says what the drawing is', () => {
  expect(probe(drawing)).toMatchObject({ format: 'svg', width: 60, height: 40, alpha: true });
});

test('a drawing gives the same PNG in every engine', () => {
  expect(createHash('sha256').update(bytesOf(DRAWING_JOB)).digest('hex')).toBe(DRAWING_SHA256);
});

test('a large drawing, which is drawn in bands, becomes a JPEG', () => {
  const [part] = DRAWING_JOB.parts;
  if (part === undefined) throw new Error('the job has no part');
  const parts = [{ ...part, target: { width: 2400, height: 1600 } }];
  const output: ResizeJob['output'] = {
    format: 'jpeg',
    quality: 80,
    background: [255, 255, 255],
    coding: 'baseline',
    subsampling: 'auto',
  };
  expect(probe(bytesOf({ ...DRAWING_JOB, parts, output }))).toMatchObject({
    format: 'jpeg',
    width: 2400,
    height: 1600,
  });
});

test('a drawing becomes a WebP, which another module encodes', () => {
  const output: ResizeJob['output'] = { format: 'webp', quality: 80, lossless: false, effort: 'default' };
  expect(probe(bytesOf({ ...DRAWING_JOB, output }))).toMatchObject({ format: 'webp', width: 300, height: 200 });
});

test('several parts are drawn anew', () => {
  const sizes = [16, 32].map((side) => ({ width: side, height: side }));
  const parts = sizes.map((target) => ({
    frame: 0,
    crop: { x: 0, y: 0, width: 40, height: 40 },
    target,
    canvas: null,
  }));
  const icon = probe(bytesOf({ ...DRAWING_JOB, parts, output: { format: 'ico' } }));
  expect(icon).toMatchObject({ format: 'ico', frames: 2 });
});

test('a drawing that stays a drawing has another size', () => {
  const svg = bytesOf({ ...DRAWING_JOB, output: { format: 'svg' } });
  expect(new TextDecoder().decode(svg)).toContain('width="300" height="200">');
});

test('a broken drawing is malformed, and the next one is drawn', () => {
  const broken = Buffer.from(DRAWING.replace('</svg>', ''));
  expect(probe(broken)).toMatchObject({
    failure: { code: 'malformed', format: 'svg', syntax: { line: 4, mistake: 'element' } },
  });
  expect(run(broken, DRAWING_JOB)).toMatchObject({ failure: { code: 'malformed' } });
  bytesOf(DRAWING_JOB);
});
