// The engine with the module that draws SVG files: the same bytes in each browser and in Node.
import { afterAll, expect, test } from 'vitest';
import { isFailed } from '../shared/failure.ts';
import { DRAWING, DRAWING_JOB, DRAWING_SHA256 } from '../testing/drawing.ts';
import { createEngine } from './engine.ts';

const engine = createEngine({ warmWhenIdle: false });
afterAll(() => engine.dispose());

const drawing = new File([DRAWING], 'drawing.svg');

test('the header says what the drawing is', async () => {
  expect(await engine.probe(drawing)).toMatchObject({ format: 'svg', width: 60, height: 40, alpha: true });
});

test('a drawing gives the same PNG in every engine', async () => {
  const outcome = await engine.run(drawing, DRAWING_JOB);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: 'png', width: 300, height: 200, warnings: [] });
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await outcome.blob.arrayBuffer()));
  const hex = Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(hex).toBe(DRAWING_SHA256);
});

test('a drawing that stays a drawing has another size and nothing else', async () => {
  const outcome = await engine.run(drawing, { ...DRAWING_JOB, output: { format: 'svg' } });
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: 'svg', width: 300, height: 200 });
  const resized = '<svg viewBox="0 0 60 40" xmlns="http://www.w3.org/2000/svg" width="300" height="200">';
  expect(await outcome.blob.text()).toBe(resized + DRAWING.slice(DRAWING.indexOf('>') + 1));
});

test('a broken drawing is malformed, and the next one is drawn', async () => {
  const broken = new File([DRAWING.replace('</svg>', '')], 'broken.svg');
  expect(await engine.probe(broken)).toMatchObject({ failure: { code: 'malformed', format: 'svg' } });
  expect(await engine.run(broken, DRAWING_JOB)).toMatchObject({ failure: { code: 'malformed' } });
  expect(await engine.run(drawing, DRAWING_JOB)).toMatchObject({ format: 'png' });
});
