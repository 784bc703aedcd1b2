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

/** Returns a box. */
function boxed(kind: string, ...contents: readonly BlobPart[]): Blob {
  const head = new DataView(new ArrayBuffer(4));
  const parts = new Blob([...contents]);
  head.setUint32(0, 8 + parts.size);
  return new Blob([head, kind, parts]);
}

/** Returns a Brotli stream of one block without compression, and an empty last one (RFC 7932 §9.2). */
function brotli(text: string): Blob {
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, ((text.length - 1) << 4) | (1 << 20), true);
  return new Blob([head.buffer.slice(0, 3), text, new Uint8Array([3])]);
}

test('a copy of a file with compressed metadata has its picture and no location', async () => {
  const XMP = `<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='60,23N' \
xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' photoshop:Headline='Harbour'/></rdf:RDF></x:xmpmeta>`;
  const start = [boxed('JXL ', new Uint8Array([13, 10, 135, 10])), boxed('ftyp', 'jxl \0\0\0\0jxl ')];
  const codestream = boxed('jxlc', await open('tests/fixtures/pictures/ball.jxl'));
  const file = new Blob([...start, boxed('brob', 'xml ', brotli(XMP)), codestream, boxed('jbrd', 'jpeg')]);
  expect(await engine.probe(file)).toMatchObject({ format: 'jxl', frames: 3, metadata: 'location' });
  const copies = ['keep-without-location', 'remove'].map(async (policy) => {
    const outcome = await engine.rewriteMetadata(file, { policy: policy as 'remove' });
    if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
    expect(outcome).toMatchObject({ format: 'jxl', width: 24, height: 16, warnings: [] });
    expect(await engine.probe(outcome.blob)).toMatchObject({
      frames: 3,
      metadata: policy === 'remove' ? 'none' : 'details',
    });
    return outcome.blob;
  });
  const [details, none] = await Promise.all(copies);
  expect(await none?.bytes()).toEqual(await new Blob([...start, codestream]).bytes());
  const text = (await details?.text()) ?? '';
  expect(['Harbour', 'GPSLatitude'].map((word) => text.includes(word))).toEqual([true, false]);
});
