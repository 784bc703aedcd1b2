// @ts-check
// Runs named steps one after another and says how each ended and how long it took. Every step runs, unless one that it
// needs has failed: a broken type must not hide a broken test.
import { spawn } from 'node:child_process';
import { root, toolEnv } from './toolchain.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} run the program and its arguments
 * @property {string} [needs] name of a step without which this one means nothing
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
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<number>} its exit code; 128 and more where it was killed or could not start
 */
export function runProgram([program = '', ...args], { env = toolEnv(), cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(128);
    });
    child.on('exit', (code) => resolve(code ?? 129));
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

/**
 * @param {Step} step
 * @param {StepResult[]} earlier
 * @returns {Promise<StepResult>}
 */
async function runStep(step, earlier) {
  const { name } = step;
  const needed = earlier.find((result) => result.name === step.needs);
  if (needed?.outcome === 'failed') {
    return { name, outcome: 'failed', note: `not run: "${needed.name}" failed`, seconds: 0 };
  }
  const reason = step.skip?.();
  if (reason !== undefined) return { name, outcome: 'skipped', note: reason, seconds: 0 };

  console.log(`\n${colour(1, `▶ ${name}`)}`);
  const started = Date.now();
  const code = await runProgram(step.run, { env: { ...toolEnv(), ...step.env } });
  const seconds = (Date.now() - started) / 1000;
  return { name, outcome: code === 0 ? 'passed' : 'failed', note: code === 0 ? '' : `exit code ${code}`, seconds };
}

/** @param {StepResult} result */
function line({ name, outcome, note, seconds }) {
  return `${marks[outcome]} ${name.padEnd(36)} ${seconds.toFixed(1).padStart(7)} s  ${note}`.trimEnd();
}

/**
 * @param {Step[]} steps
 * @returns {Promise<StepResult[]>}
 */
export async function runSteps(steps) {
  /** @type {StepResult[]} */
  const results = [];
  for (const step of steps) {
    const result = await runStep(step, results);
    console.log(line(result));
    results.push(result);
  }
  return results;
}

/**
 * Prints every step again, then the sum as the last line, and sets the exit code.
 * @param {StepResult[]} results
 */
export function summarise(results) {
  /** @param {StepResult['outcome']} outcome */
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  const total = results.reduce((sum, result) => sum + result.seconds, 0);
  console.log(`\n${colour(1, 'Summary')} (${total.toFixed(0)} s)\n`);
  for (const result of results) console.log(line(result));
  if (count('skipped') > 0) console.log(`\n${count('skipped')} left out: see the reasons above`);
  process.exitCode = count('failed') === 0 ? 0 : 1;
  console.log(`\n${count('passed')} passed, ${count('failed')} failed`);
}
