// @ts-check
// Runs named steps in two lanes and reports the outcome and the duration of each. The foreground lane runs one step
// after another; the running step owns the terminal. The background lane does the same at low priority and prints the
// output of a step after it ends. A failed step stops only the steps that need it.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { root, toolEnv } from './toolchain.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} run the program and its arguments
 * @property {string} [needs] the name of an earlier step; if it fails, this step fails without running
 * @property {true} [background] runs in the background lane
 * @property {() => string | undefined} [skip] returns a reason to skip the step on this machine
 * @property {Record<string, string>} [env]
 * @property {string[]} [inputs] files and folders that determine the outcome; without this list the step always runs
 */
/**
 * @typedef {'passed' | 'proven' | 'failed' | 'skipped'} Outcome `proven`: passed in an earlier run with the same inputs
 */
/**
 * @typedef {object} StepResult
 * @property {string} name
 * @property {Outcome} outcome
 * @property {string} note
 * @property {number} seconds
 * @property {string} [output] what the program of a failed step printed; missing if it printed to a terminal
 */
/**
 * @typedef {object} Proofs
 * @property {(step: Step) => string | undefined} keyOf identifies the inputs of a step; undefined for a step without any
 * @property {(step: Step, key: string) => string | undefined} provenAt the time when the step passed with these inputs
 * @property {(step: Step, key: string) => void} add
 */

const hasColours = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
/** @param {number} code @param {string} text */
const colour = (code, text) => (hasColours ? `\u001b[${code}m${text}\u001b[0m` : text);
const marks = { passed: colour(32, '✓'), proven: colour(32, '='), failed: colour(31, '✗'), skipped: colour(33, '–') };

/**
 * Runs a program with the project's tools on PATH and waits for it.
 * @param {string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, output?: Buffer[] | undefined, background?: boolean }} [options]
 *   `output`: also collects the output; the program then has no terminal. `background`: prints nothing and runs at low
 *   priority
 * @returns {Promise<number>} the exit code; 128 or more if the program was killed or could not start
 */
export function runProgram([program = '', ...args], { env = toolEnv(), cwd = root, output, background = false } = {}) {
  return new Promise((resolve) => {
    const out = output === undefined ? 'inherit' : 'pipe';
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', out, out] });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(128);
    });
    child.on('close', (code) => resolve(code ?? 129));
    // Compilers get the processor time that browsers leave, because browser tests have timeouts and compilers have
    // none.
    if (background && child.pid !== undefined) {
      os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output?.push(chunk);
        if (!background) process.stdout.write(chunk);
      });
    }
  });
}

/**
 * Runs a program and throws if it fails.
 * @param {string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 */
export async function mustRun(command, options) {
  const code = await runProgram(command, options);
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} … failed (${code})`);
}

/** @param {StepResult} result */
function line({ name, outcome, note, seconds }) {
  return `${marks[outcome]} ${name.padEnd(36)} ${seconds.toFixed(1).padStart(7)} s  ${note}`.trimEnd();
}

/** @param {string} name @param {Outcome} outcome @param {string} note @returns {StepResult} */
const withoutRunning = (name, outcome, note) => ({ name, outcome, note, seconds: 0 });

/**
 * @param {Step} step
 * @param {Means} means
 * @param {Buffer[]} [output]
 * @returns {Promise<StepResult>}
 */
async function perform(step, { run, proofs }, output) {
  const { name, run: command, env, background } = step;
  // Read before the step runs, so that a change during the step does not count as tested.
  const key = proofs.keyOf(step);
  const when = key === undefined ? undefined : proofs.provenAt(step, key);
  if (when !== undefined) return withoutRunning(name, 'proven', `passed ${when} with the same inputs`);
  const started = Date.now();
  const code = await run(command, { env: { ...toolEnv(), ...env }, output, background: background === true });
  const seconds = (Date.now() - started) / 1000;
  if (code !== 0) {
    const printed = output && { output: Buffer.concat(output).toString() };
    return { name, outcome: 'failed', note: `exit code ${code}`, seconds, ...printed };
  }
  if (key !== undefined) proofs.add(step, key);
  return { name, outcome: 'passed', note: '', seconds };
}

/** @typedef {<T>(write: () => T | Promise<T>) => Promise<T>} Terminal */

/** Lets only one step print at a time: a program that redraws its last lines must be alone. @returns {Terminal} */
function shareTerminal() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (write) => {
    const mine = last.then(write);
    last = mine;
    return mine;
  };
}

/** @typedef {{ run: typeof runProgram, proofs: Proofs, terminal: Terminal }} Means */

/**
 * @param {Step} step
 * @param {StepResult | undefined} needed
 * @param {Means} means
 * @returns {Promise<StepResult>}
 */
async function runStep(step, needed, means) {
  const { name } = step;
  const heading = `\n${colour(1, `▶ ${name}`)}`;
  const reason = step.skip?.();
  const result =
    needed?.outcome === 'failed'
      ? withoutRunning(name, 'failed', `not run: "${needed.name}" failed`)
      : reason !== undefined && withoutRunning(name, 'skipped', reason);
  if (step.background) {
    /** @type {Buffer[]} */
    const output = [];
    const ended = result || (await perform(step, means, output));
    // Not awaited, so that the next step of this lane can start while a foreground program owns the terminal.
    void means.terminal(() => console.log(`${heading}\n${Buffer.concat(output)}${line(ended)}`));
    return ended;
  }
  return means.terminal(async () => {
    if (!result) console.log(heading);
    // A log keeps the output of a failed step for its end. Programs that print to a terminal redraw lines and stay as
    // they are.
    const ended = result || (await perform(step, means, process.stdout.isTTY ? undefined : []));
    console.log(line(ended));
    return ended;
  });
}

/** Proofs that make every step run. @type {Proofs} */
const noProofs = { keyOf: () => undefined, provenAt: () => undefined, add: () => undefined };

/**
 * @param {Step[]} steps
 * @param {{ run?: typeof runProgram, proofs?: Proofs }} [means]
 * @returns {Promise<StepResult[]>} in the order of the steps
 */
export async function runSteps(steps, { run = runProgram, proofs = noProofs } = {}) {
  const terminal = shareTerminal();
  /** @type {Map<string | undefined, Promise<StepResult>>} */
  const results = new Map();
  /** The last step of each lane. @type {Map<Step['background'], Promise<StepResult>>} */
  const lanes = new Map();
  for (const step of steps) {
    if (step.needs !== undefined && !results.has(step.needs)) throw new Error(`"${step.name}" precedes its need`);
    const before = Promise.all([results.get(step.needs), lanes.get(step.background)]);
    const result = before.then(([needed]) => runStep(step, needed, { run, proofs, terminal }));
    results.set(step.name, result);
    lanes.set(step.background, result);
  }
  const all = await Promise.all(results.values());
  await terminal(() => undefined);
  return all;
}

// Enough for the failures that Playwright, Vitest and cargo list at the end of their output.
const linesOfFailure = 80;

/**
 * Prints the last lines of every failed step, the result of every step again and the totals as the last line, and sets
 * the exit code. The end of a log therefore shows what failed.
 * @param {StepResult[]} results
 */
export function summarise(results) {
  /** @param {Outcome} outcome */
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  for (const { name, output } of results) {
    if (output === undefined) continue;
    const lines = output.trimEnd().split('\n');
    console.log(`\n${colour(1, `✗ ${name}`)}: its last lines\n\n${lines.slice(-linesOfFailure).join('\n')}`);
  }
  // The time since the program started, in which simultaneous steps count once.
  console.log(`\n${colour(1, 'Summary')} (${(performance.now() / 1000).toFixed(0)} s)\n`);
  for (const result of results) console.log(line(result));
  if (count('proven') > 0) {
    console.log(`\n${count('proven')} of the passed steps were not run again; \`npm test -- all\` runs every step`);
  }
  if (count('skipped') > 0) console.log(`\n${count('skipped')} skipped: see the reasons above`);
  process.exitCode = count('failed') === 0 ? 0 : 1;
  console.log(`\n${count('passed') + count('proven')} passed, ${count('failed')} failed`);
}
