// JPEG XL in Node: the same bytes as in the browsers (web/engine/page/jxl.browser.test.ts).
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { JXL_FILE, JXL_JOB, JXL_SHA256 } from '../testing/jxl.ts';
import { isFailed, probe, run } from './index.ts';

const picture = fs.readFileSync(JXL_FILE);

test('the header says what the picture is', () => {
  expect(probe(picture)).toMatchObject({ format: 'jxl', width: 160, height: 121, depth: 8, alpha: false, frames: 1 });
});

test('a picture gives the same PNG in every engine', () => {
  const outcome = run(picture, JXL_JOB);
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome).toMatchObject({ format: 'png', width: 59, height: 45, warnings: [] });
  expect(createHash('sha256').update(outcome.bytes).digest('hex')).toBe(JXL_SHA256);
});

test('a cut picture is malformed, and the next one is read', () => {
  expect(run(picture.subarray(0, 5000), JXL_JOB)).toMatchObject({ failure: { code: 'malformed', format: 'jxl' } });
  expect(run(picture, JXL_JOB)).toMatchObject({ format: 'png' });
});
