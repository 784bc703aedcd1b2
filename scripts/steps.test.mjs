// @ts-check
import { setImmediate as settled } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { runSteps } from './steps.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);

/** Steps by their names: `~` runs beside the others, `<` needs what follows. @param {string} text @returns {Step[]} */
function stepsOf(text) {
  return text.split(' ').map((word) => {
    const [, beside, name = '', needs] = /^(~?)(\w+)<?(\w+)?$/.exec(word) ?? [];
    return { name, run: [name], ...(beside ? { beside: true } : {}), ...(needs === undefined ? {} : { needs }) };
  });
}

/** Programs that end when they are told to. */
function programs() {
  /** @type {Map<string, (code: number) => void>} */
  const running = new Map();
  /** @type {typeof import('./steps.mjs').runProgram} */
  const run = ([name = ''], { said } = {}) => {
    said?.push(Buffer.from(`${name} says\n`));
    return new Promise((resolve) => void running.set(name, resolve));
  };
  const end = async (/** @type {string} */ name, code = 0) => {
    running.get(name)?.(code);
    running.delete(name);
    await settled();
  };
  return { run, end, running: () => [...running.keys()].sort().join(' ') };
}

// What runs after each end, told as `name that ends → names that then run`; `!`: it fails.
test.each([
  ['one after another', 'a b c', 'a', ['a → b', 'b → c', 'c → '], 'passed passed passed'],
  ['after a failure, too', 'a b', 'a', ['a! → b', 'b → '], 'failed passed'],
  ['not without what is needed', 'a b<a c', 'a', ['a! → c', 'c → '], 'failed failed passed'],
  ['in two lanes', '~x a ~y b', 'a x', ['a → b x', 'x → b y', 'y → b', 'b → '], 'passed passed passed passed'],
  [
    'after a need in the other lane',
    '~x a b<x c',
    'a x',
    ['a → x', 'x → b', 'b → c', 'c → '],
    'passed passed passed passed',
  ],
  ['not if that has failed', '~x a<x ~y b', 'x', ['x! → b y', 'y → b', 'b → '], 'failed failed passed passed'],
])('steps run %s', async (_, text, first, course, outcomes) => {
  const { run, end, running } = programs();
  const results = runSteps(stepsOf(text), run);
  await settled();
  expect(running()).toBe(first);
  for (const line of course) {
    const [, name = '', failing, then] = /^(\w+)(!?) → (.*)$/.exec(line) ?? [];
    await end(name, failing ? 1 : 0);
    expect([line, running()]).toEqual([line, then]);
  }
  expect((await results).map(({ outcome }) => outcome).join(' ')).toBe(outcomes);
});

test('what runs beside is silent while another has the terminal, and then says all at once', async () => {
  log.mockClear();
  const told = () => log.mock.calls.flat().map((text) => text.match(/[▶✓✗] \w+|\w+ says/g).join(', '));
  const { run, end } = programs();
  const results = runSteps(stepsOf('~x a b'), run);
  await settled();
  await end('x', 1);
  expect(told()).toEqual(['▶ a']);
  await end('a');
  expect(told()).toEqual(['▶ a', '✓ a', '▶ x, x says, ✗ x', '▶ b']);
  await end('b');
  await results;
  expect(told().at(-1)).toBe('✓ b');
});

test('a step cannot need one that comes later', async () => {
  await expect(runSteps(stepsOf('a<b b'), programs().run)).rejects.toThrow('"a"');
});
