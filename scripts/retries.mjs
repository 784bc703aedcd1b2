// @ts-check
// Counts the tests that passed only on a retry. The reporters of Vitest and Playwright (tests/lib) write them to one
// file, which exists for one run of `npm test`. A few retries are normal on a busy machine; more are a defect.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** @typedef {import('./steps.mjs').StepResult} StepResult */

const mostRetries = 3;
const variable = 'RETRIES_FILE';

/** Starts counting. Programs that are started afterwards inherit the path of the file. */
export function countRetries() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retries-'));
  process.env[variable] = path.join(folder, 'retried');
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
}

/** @param {string} test a test that failed and then passed; reporters call this function */
export function addRetry(test) {
  const file = process.env[variable];
  if (file !== undefined) fs.appendFileSync(file, `${test.replaceAll('\n', ' ')}\n`);
}

/**
 * @param {string[]} tests
 * @returns {StepResult}
 */
export function judgeRetries(tests) {
  const outcome = tests.length > mostRetries ? 'failed' : 'passed';
  const note = `${tests.length} tests passed only on a retry; the limit is ${mostRetries}`;
  return { name: 'retries', outcome, note, seconds: 0 };
}

/** @returns {StepResult} */
export function retryResult() {
  const file = process.env[variable] ?? '';
  const tests = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  for (const test of tests) console.log(`passed only on a retry: ${test}`);
  return judgeRetries(tests);
}
