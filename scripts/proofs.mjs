// @ts-check
// Stores which steps have passed with which inputs, so that `npm test` runs only the steps that a change affects. The
// machine is an input of every step: its tools, its packages, the image corpus, the environment.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashOf, readStamp, sha256, writeStamp } from './fingerprint.mjs';
import { compilerVersion, root, toolEnv } from './toolchain.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

// The programs that tests run or compare with. They may be installed without Debian's packages.
const programs = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  ...['firefox-esr', 'firefox', 'WebKitWebDriver', 'Xvfb'],
  ...['convert-im7.q16', 'convert-im6.q16', 'magick', 'convert'],
  ...['djpeg', 'cjpeg', 'pngtopam', 'exiftool', 'icotool', 'tiffinfo', 'tiffcp', 'transicc'],
  ...['python3', 'cargo', 'wasm-pack', 'wasm-bindgen', 'cc'],
];

const variables = /^(CI|SHARED_DIR|REQUIRE_ENGINES|\w+_BIN|TZ|LANG|LC_\w+|RUST\w*|CARGO_\w+|NODE_OPTIONS|ENGINES)$/;

/** @param {string} file @returns {string} */
const contentOf = (file) =>
  fs.existsSync(file) ? createHash('sha256').update(fs.readFileSync(file)).digest('hex') : '-';

/** @param {string} program @returns {string} the path of a program, its size and its modification time */
function identity(program) {
  const folders = (toolEnv()['PATH'] ?? '').split(path.delimiter);
  const file = folders.map((folder) => path.join(folder, program)).find((candidate) => fs.existsSync(candidate));
  if (file === undefined) return `${program}: none`;
  const target = fs.realpathSync(file);
  const { size, mtimeMs } = fs.statSync(target);
  return `${program}: ${target} ${size} ${mtimeMs}`;
}

/** @returns {string} a hash of everything outside the checkout that can affect a test */
export function environment() {
  const own = Object.entries(process.env).filter(([name]) => variables.test(name));
  const shared = process.env['SHARED_DIR'] ?? '../shared';
  const facts = [
    [process.version, process.arch, os.release(), compilerVersion()],
    // The version of every Debian package: browsers, oracles and the libraries under them.
    [contentOf('/var/lib/dpkg/status')],
    programs.map(identity),
    own.map(([name, value]) => `${name}=${value}`).sort(),
    ['corpus', 'photos'].map((folder) => hashOf([path.relative(root, path.resolve(root, shared, folder))])),
  ];
  return sha256(JSON.stringify(facts));
}

/** @param {string} name @returns {string} */
const stampOf = (name) => `step-${name.replaceAll(/\W+/g, '-')}`;

/**
 * @param {{ renew: boolean }} options `renew` ignores the results of earlier runs
 * @returns {import('./steps.mjs').Proofs}
 */
export function storedProofs({ renew }) {
  const machine = environment();
  return {
    keyOf: ({ run, env, inputs }) =>
      inputs === undefined ? undefined : sha256(JSON.stringify([machine, run, env, hashOf(inputs)])),
    provenAt: ({ name }, key) => {
      const [when, provenKey] = readStamp(stampOf(name))?.split('\n') ?? [];
      return !renew && provenKey === key ? when : undefined;
    },
    add: ({ name }, key) => {
      const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
      writeStamp(stampOf(name), `${when} UTC\n${key}\n`);
    },
  };
}
