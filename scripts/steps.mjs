// @ts-check
// Runs named steps in two lanes and says how each ended and how long it took. In the first lane one step follows another
// and owns the terminal; beside it, one after another too, run those that only compute. Every step runs, unless one that
// it needs has failed: a broken type must not hide a broken test.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { root, toolEnv } from './toolchain.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} run the program and its arguments
 * @property {string} [needs] name of an earlier step without which this one means nothing
 * @property {true} [beside] in the second lane: at low priority, and what it says is told when it has ended
 * @property {() => string | undefined} [skip] a reason to leave the step out on this machine
 * @property {Record<string, string>} [env]
 */
/** @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', note: string, seconds: number }} StepResult */

const colourful = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
/** @param {number} code @param {string} text */
const colour = (code, text) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text);
const marks = { passed: colour(32, '✓'), failed: colour(31, '✗'), skipped: colour(33, '–') };

/**
 * Runs a program with the project's tools on PATH and waits for it.
 * @param {string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, said?: Buffer[] | undefined }} [options]
 *   `said`: gets what the program says, instead of the terminal; it then runs beside others, which come first
 * @returns {Promise<number>} its exit code; 128 and more where it was killed or could not start
 */
export function runProgram([program = '', ...args], { env = toolEnv(), cwd = root, said } = {}) {
  return new Promise((resolve) => {
    const out = said === undefined ? 'inherit' : 'pipe';
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', out, out] });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(128);
    });
    child.on('close', (code) => resolve(code ?? 129));
    if (said === undefined || child.pid === undefined) return;
    // Compilers take what browsers leave, so that scenarios with clocks in them see a machine that is nearly idle.
    os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  });
}

/**
 * As `runProgram`, for callers that have no use for a failure.
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

/**
 * @param {Step} step
 * @param {StepResult | undefined} needed
 * @returns {StepResult | undefined} where the step cannot or need not run
 */
function leftOut({ name, skip }, needed) {
  if (needed?.outcome === 'failed') {
    return { name, outcome: 'failed', note: `not run: "${needed.name}" failed`, seconds: 0 };
  }
  const reason = skip?.();
  return reason === undefined ? undefined : { name, outcome: 'skipped', note: reason, seconds: 0 };
}

/**
 * @param {Step} step
 * @param {typeof runProgram} run
 * @param {Buffer[]} [said]
 * @returns {Promise<StepResult>}
 */
async function timed({ name, run: command, env }, run, said) {
  const started = Date.now();
  const code = await run(command, { env: { ...toolEnv(), ...env }, said });
  const seconds = (Date.now() - started) / 1000;
  return { name, outcome: code === 0 ? 'passed' : 'failed', note: code === 0 ? '' : `exit code ${code}`, seconds };
}

/** @typedef {<T>(write: () => T | Promise<T>) => Promise<T>} Terminal */

/** @returns {Terminal} which one writes to at a time: programs that redraw their last lines would wipe out others' */
function shareTerminal() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (write) => {
    const mine = last.then(write);
    last = mine;
    return mine;
  };
}

/**
 * @param {Step} step
 * @param {StepResult | undefined} needed
 * @param {{ run: typeof runProgram, terminal: Terminal }} means
 * @returns {Promise<StepResult>}
 */
async function runStep(step, needed, { run, terminal }) {
  const heading = `\n${colour(1, `▶ ${step.name}`)}`;
  const left = leftOut(step, needed);
  if (step.beside) {
    /** @type {Buffer[]} */
    const said = [];
    const result = left ?? (await timed(step, run, said));
    // Without waiting: the next step of this lane may begin while another's program has the terminal.
    void terminal(() => console.log(`${heading}\n${Buffer.concat(said)}${line(result)}`));
    return result;
  }
  return terminal(async () => {
    if (left === undefined) console.log(heading);
    const result = left ?? (await timed(step, run));
    console.log(line(result));
    return result;
  });
}

/**
 * @param {Step[]} steps
 * @param {typeof runProgram} [run]
 * @returns {Promise<StepResult[]>} in the order of the steps
 */
export async function runSteps(steps, run = runProgram) {
  const terminal = shareTerminal();
  /** @type {Map<string | undefined, Promise<StepResult>>} */
  const results = new Map();
  /** The last step of each lane. @type {Map<Step['beside'], Promise<StepResult>>} */
  const lanes = new Map();
  for (const step of steps) {
    if (step.needs !== undefined && !results.has(step.needs)) throw new Error(`"${step.name}" stands before its need`);
    const before = Promise.all([results.get(step.needs), lanes.get(step.beside)]);
    const result = before.then(([needed]) => runStep(step, needed, { run, terminal }));
    results.set(step.name, result);
    lanes.set(step.beside, result);
  }
  const all = await Promise.all(results.values());
  await terminal(() => undefined);
  return all;
}

/**
 * Prints every step again, then the sum as the last line, and sets the exit code.
 * @param {StepResult[]} results
 */
export function summarise(results) {
  /** @param {StepResult['outcome']} outcome */
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  // Of the clock, since this program began: steps that run beside others are counted once.
  console.log(`\n${colour(1, 'Summary')} (${(performance.now() / 1000).toFixed(0)} s)\n`);
  for (const result of results) console.log(line(result));
  if (count('skipped') > 0) console.log(`\n${count('skipped')} left out: see the reasons above`);
  process.exitCode = count('failed') === 0 ? 0 : 1;
  console.log(`\n${count('passed')} passed, ${count('failed')} failed`);
}
