// @ts-check
// Checks that read the code without running it. `npm test` runs the quick checks, `npm run check` all.
import fs from 'node:fs';
import path from 'node:path';
import { withoutEngines } from '../tests/lib/engines.mjs';
import { toolEnv } from './toolchain.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

/**
 * @param {string} program
 * @param {string} why
 * @returns {() => string | undefined}
 */
export function without(program, why) {
  return () => {
    const folders = (toolEnv()['PATH'] ?? '').split(path.delimiter);
    return folders.some((folder) => fs.existsSync(path.join(folder, program))) ? undefined : why;
  };
}

const noComponent = 'missing in this Rust installation; rustup installs it';

/** @type {Step[]} */
export const quickChecks = [
  // First, because it generates the types of the core, which other checks read.
  { name: 'WebAssembly', run: ['node', 'scripts/build-wasm.mjs'] },
  // Updates the declarations of CSS modules. These are committed, so that `tsc -b` needs no build.
  { name: 'types of style sheets', run: ['npm', 'run', '--silent', 'css-types'] },
  { name: 'types', run: ['tsc', '-b'] },
  { name: 'lint and format', run: ['biome', 'check', '--error-on-warnings'] },
  { name: 'style sheets', run: ['stylelint', '--allow-empty-input', 'web/**/*.css'] },
  { name: 'imports', run: ['node', 'scripts/imports.mjs'] },
  { name: 'messages in every language', run: ['node', 'scripts/locales.mjs'] },
  { name: 'npm licences', run: ['node', 'scripts/licences.mjs'] },
  { name: 'rust rules', run: ['node', 'scripts/rust-rules.mjs'] },
  { name: 'rust format', run: ['cargo', 'fmt', '--all', '--check'], skip: without('cargo-fmt', noComponent) },
];

/** @type {Step} */
export const lintRust = {
  name: 'rust lint',
  background: true,
  run: ['cargo', 'clippy', '--workspace', '--all-targets', '--locked', '--quiet', '--', '-D', 'warnings'],
  skip: without('cargo-clippy', noComponent),
};

/** @type {Step[]} */
export const slowChecks = [
  lintRust,
  {
    name: 'crate licences and sources',
    run: ['cargo-deny', '--log-level', 'warn', 'check', 'licenses', 'bans', 'sources'],
    skip: without('cargo-deny', 'cargo-deny is not installed: scripts/setup check'),
  },
  { name: 'build', run: ['node', 'scripts/build.mjs'] },
  {
    // The step "site" of `npm test` includes it.
    name: 'no text is clipped',
    run: ['vitest', 'run', '--project', 'site', 'tests/site/pseudo-locale.test.ts'],
    needs: 'build',
    skip: withoutEngines(['chromium']),
  },
];
