// The engine with the module that reads JPEG XL: the same bytes in each browser and in Node.
import { afterAll, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { isFailed } from '../shared/failure.ts';
import { JXL_FILE, JXL_JOB, JXL_SHA256 } from '../testing/jxl.ts';
import trappingWorkerUrl from '../testing/trapping-jxl.worker.ts?worker&url';
import { ASSETS } from './assets.ts';
import { createEngine } from './engine.ts';

const engine = createEngine({ warmWhenIdle: false });
afterAll(() => engine.dispose());

async function open(file: string): Promise<Blob> {
  const base64 = await commands.readFile(file, 'base64');
  return fetch(`data:;base64,${base64}`).then((response) => response.blob());
}

test('a picture gives the same PNG in every engine', async () => {
  const picture = await open(JXL_FILE);
  expect(await engine.probe(picture)).toMatchObject({ format: 'jxl', width: 160, height: 121 });
  const outcome = await engine.run(picture, JXL_JOB);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: 'png', width: 59, height: 45, warnings: [] });
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await outcome.blob.arrayBuffer()));
  const hex = Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(hex).toBe(JXL_SHA256);
});

test('a cut picture is malformed, and the next one is read', async () => {
  const picture = await open(JXL_FILE);
  const cut = picture.slice(0, 5000);
  expect(await engine.probe(cut)).toMatchObject({ format: 'jxl', width: 160 });
  expect(await engine.run(cut, JXL_JOB)).toMatchObject({ failure: { code: 'malformed', format: 'jxl' } });
  expect(await engine.run(picture, JXL_JOB)).toMatchObject({ format: 'png' });
});

test('an animation keeps its frames', async () => {
  const ball = await open('tests/fixtures/pictures/ball.jxl');
  const info = await engine.probe(ball);
  expect(info).toMatchObject({ format: 'jxl', width: 24, height: 16, frames: 3, sequence: 'animation' });
  const parts = [0, 1, 2].map((frame) => ({
    frame,
    crop: { x: 0, y: 0, width: 24, height: 16 },
    target: { width: 12, height: 8 },
    canvas: null,
  }));
  const output = { format: 'gif', colors: 256 } as const;
  const outcome = await engine.run(ball, { ...JXL_JOB, parts, output });
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: 'gif', width: 12, height: 8, frames: 3 });
});

test('a trap in the module is a crash of its file, and other files are read', async () => {
  const jxl = { worker: trappingWorkerUrl, wasm: ASSETS.decoders.jxl?.wasm ?? '' };
  const assets = { ...ASSETS, decoders: { ...ASSETS.decoders, jxl } };
  const trapping = createEngine({ assets, warmWhenIdle: false });
  const picture = await open(JXL_FILE);
  const names = ['good.jxl', 'traps.jxl', 'also good.jxl'];
  const run = async (name: string) => trapping.run(new File([picture], name), JXL_JOB);
  const [good, bad, alsoGood] = await Promise.all(names.map(run));
  expect(bad).toMatchObject({ failure: { code: 'crashed', detail: expect.stringContaining('RuntimeError') } });
  for (const outcome of [good, alsoGood, await run('late.jxl')]) expect(outcome).toMatchObject({ format: 'png' });
  trapping.dispose();
});
