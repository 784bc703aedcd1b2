// The modules of drawings and of the core in Node: the same bytes as in the browsers (web/engine/page/svg.browser.test.ts).
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Result, source } from '../../../tests/golden/core.mjs';
import { Codec, initSync } from '../svg/svg.js';
import { DRAWING, DRAWING_JOB, DRAWING_SHA256 } from '../testing/drawing.ts';
import { isFailed, run } from './index.ts';

beforeAll(() => {
  const bytes = fs.readFileSync(new URL('../svg/svg_bg.wasm', import.meta.url));
  initSync({ module: new WebAssembly.Module(bytes) });
});

test('a drawing gives the same PNG in every engine', () => {
  const rows = new Result();
  const decoder = Codec.decoder(source(Buffer.from(DRAWING)), rows, DRAWING_JOB.parts, DRAWING_JOB.memory);
  let answer = decoder.step();
  while (answer === undefined) answer = decoder.step();
  expect(answer).toEqual({ ok: null });
  const parts = DRAWING_JOB.parts.map((part) => ({ ...part, crop: { x: 0, y: 0, ...part.target } }));
  const outcome = run(rows.bytes(), { ...DRAWING_JOB, parts });
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(createHash('sha256').update(outcome.bytes).digest('hex')).toBe(DRAWING_SHA256);
});
