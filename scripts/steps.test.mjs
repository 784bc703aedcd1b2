// @ts-check
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { judgeRetries } from './retries.mjs';
import { foldersOf } from './rust-tests.mjs';
import { runSteps, summarise } from './steps.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);

/**
 * Parses steps: `~` marks a background step, `<` precedes the name of the needed step. @param {string} text @returns
 * {Step[]}
 */
function stepsOf(text) {
  return text.split(' ').map((word) => {
    const [, background, name = '', needs] = /^(~?)(\w+)<?(\w+)?$/.exec(word) ?? [];
    const lane = background ? /** @type {const} */ ({ background: true }) : {};
    return { name, run: [name], ...lane, ...(needs === undefined ? {} : { needs }) };
  });
}

/** Makes fake programs, which end when the test calls `end`. */
function programs() {
  /** @type {Map<string, (code: number) => void>} */
  const running = new Map();
  /** @type {typeof import('./steps.mjs').runProgram} */
  const run = ([name = ''], { output } = {}) => {
    output?.push(Buffer.from(`${name} prints\n`));
    return new Promise((resolve) => void running.set(name, resolve));
  };
  const end = async (/** @type {string} */ name, code = 0) => {
    running.get(name)?.(code);
    running.delete(name);
    await settled();
  };
  return { run, end, running: () => [...running.keys()].sort().join(' ') };
}

// The running steps after the end of each step: `step that ends → running steps`; `!` marks a failure.
test.each([
  ['one after another', 'a b c', 'a', ['a → b', 'b → c', 'c → '], 'passed passed passed'],
  ['after a failure', 'a b', 'a', ['a! → b', 'b → '], 'failed passed'],
  ['only if the needed step passed', 'a b<a c', 'a', ['a! → c', 'c → '], 'failed failed passed'],
  ['in two lanes', '~x a ~y b', 'a x', ['a → b x', 'x → b y', 'y → b', 'b → '], 'passed passed passed passed'],
  [
    'after a needed step in the other lane',
    '~x a b<x c',
    'a x',
    ['a → x', 'x → b', 'b → c', 'c → '],
    'passed passed passed passed',
  ],
  [
    'only if the needed step in the other lane passed',
    '~x a<x ~y b',
    'x',
    ['x! → b y', 'y → b', 'b → '],
    'failed failed passed passed',
  ],
])('steps run %s', async (_, text, first, course, outcomes) => {
  const { run, end, running } = programs();
  const results = runSteps(stepsOf(text), { run });
  await settled();
  expect(running()).toBe(first);
  for (const line of course) {
    const [, name = '', failing, then] = /^(\w+)(!?) → (.*)$/.exec(line) ?? [];
    await end(name, failing ? 1 : 0);
    expect([line, running()]).toEqual([line, then]);
  }
  expect((await results).map(({ outcome }) => outcome).join(' ')).toBe(outcomes);
});

test('the summary repeats what a failed step printed, and nothing of a passed one', async () => {
  const { run, end } = programs();
  const results = runSteps(stepsOf('a b'), { run });
  await settled();
  await end('a', 1);
  await end('b');
  log.mockClear();
  summarise(await results);
  process.exitCode = 0;
  const printed = log.mock.calls.flat().join('\n');
  expect(printed).toContain('✗ a: its last lines\n\na prints\n');
  expect(printed).not.toContain('b prints');
});

test('a background step prints its output after the foreground step has ended', async () => {
  log.mockClear();
  const printed = () => log.mock.calls.flat().map((text) => text.match(/[▶✓✗] \w+|\w+ prints/g).join(', '));
  const { run, end } = programs();
  const results = runSteps(stepsOf('~x a b'), { run });
  await settled();
  await end('x', 1);
  expect(printed()).toEqual(['▶ a']);
  await end('a');
  expect(printed()).toEqual(['▶ a', '✓ a', '▶ x, x prints, ✗ x', '▶ b']);
  await end('b');
  await results;
  expect(printed().at(-1)).toBe('✓ b');
});

test('a step cannot need a later step', async () => {
  await expect(runSteps(stepsOf('a<b b'), programs())).rejects.toThrow('"a"');
});

describe('a step with inputs', () => {
  /**
   * Runs `a`, whose inputs have this key, and `b`, which has no list of inputs. @param {string} key @param {number}
   * code
   */
  async function runWith(key, code, stored = new Map()) {
    /** @type {string[]} */
    const ran = [];
    const results = await runSteps(stepsOf('a b'), {
      run: ([name = '']) => Promise.resolve(ran.push(name) > 0 && name === 'a' ? code : 0),
      proofs: {
        keyOf: ({ name }) => (name === 'a' ? key : undefined),
        provenAt: (_, wanted) => stored.get(wanted),
        add: (_, passed) => void stored.set(passed, 'at noon'),
      },
    });
    return { ran: ran.join(' '), results, stored };
  }

  test('is not run again with the same inputs, and shows when it passed; other steps always run', async () => {
    const first = await runWith('one', 0);
    const second = await runWith('one', 0, first.stored);
    expect([first.ran, second.ran]).toEqual(['a b', 'b']);
    expect(second.results[0]).toMatchObject({ outcome: 'proven', note: expect.stringContaining('at noon') });
  });

  test('runs again with other inputs, and after a failure', async () => {
    const failed = await runWith('one', 1);
    const again = await runWith('one', 0, failed.stored);
    const changed = await runWith('two', 0, again.stored);
    expect([again.ran, changed.ran]).toEqual(['a b', 'a b']);
  });
});

test('the last line counts passed and failed steps; a proven step counts as passed', () => {
  const results = /** @type {const} */ (['passed', 'proven', 'failed', 'skipped']).map((outcome) => ({
    name: outcome,
    outcome,
    note: '',
    seconds: 1,
  }));
  summarise(results);
  expect(log.mock.lastCall).toEqual(['\n2 passed, 1 failed']);
  expect(process.exitCode).toBe(1);
  summarise(results.slice(0, 2));
  expect(process.exitCode).toBe(0);
  process.exitCode = undefined;
});

test('three retried tests are reported, four fail the run', () => {
  expect(judgeRetries(['a', 'b', 'c'])).toMatchObject({ outcome: 'passed', note: expect.stringContaining('3 tests') });
  expect(judgeRetries(['a', 'b', 'c', 'd']).outcome).toBe('failed');
});

test('the tests of a crate depend on the crates that it uses, directly and indirectly', () => {
  const raster = { name: 'raster', folder: 'crates/raster', uses: [] };
  const codec = { name: 'codec', folder: 'crates/codec', uses: ['raster', 'testkit'] };
  const testkit = { name: 'testkit', folder: 'crates/testkit', uses: ['raster'] };
  const cli = { name: 'cli', folder: 'crates/cli', uses: ['codec'] };
  const all = [raster, codec, testkit, cli];
  expect(foldersOf(raster, all)).toEqual(['crates/raster']);
  expect(foldersOf(cli, all)).toEqual(['crates/cli', 'crates/codec', 'crates/raster', 'crates/testkit']);
});
