// @ts-check
// Finds the browser engines of this machine and the options to start them. The binaries are those in CHROMIUM_BIN,
// FIREFOX_BIN, WEBKIT_BIN and WEBKIT_DRIVER_BIN, or else in PATH. A missing engine is skipped with a message; if
// REQUIRE_ENGINES contains it (`REQUIRE_ENGINES=chromium,firefox`, or `all`), the run fails.
import fs from 'node:fs';
import path from 'node:path';

/** @typedef {'chromium' | 'firefox' | 'webkit'} EngineName */
/** @typedef {{ engine: EngineName, binary: string, driver: string }} FoundEngine `driver` only for webkit */
/** @typedef {{ engine: EngineName, missing: string }} MissingEngine */

/** @type {EngineName[]} */
export const engineNames = ['chromium', 'firefox', 'webkit'];

/**
 * @param {string | undefined} chosen a path from the environment
 * @param {string[]} names program names in order of preference
 * @returns {string | undefined}
 */
function program(chosen, names) {
  if (chosen !== undefined && chosen !== '') return fs.existsSync(chosen) ? chosen : undefined;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

/** WebKitGTK's MiniBrowser is in the folder of the library, not in PATH. @returns {string[]} */
function miniBrowsers() {
  return ['/usr/lib', '/usr/lib64', '/usr/libexec']
    .flatMap((folder) => {
      if (!fs.existsSync(folder)) return [];
      const inner = fs.readdirSync(folder).filter((name) => name.endsWith('-linux-gnu'));
      return [folder, ...inner.map((name) => path.join(folder, name))];
    })
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((name) => path.join(folder, name, 'MiniBrowser')))
    .filter((file) => fs.existsSync(file));
}

const chromiums = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds Chromium with its user interface and its settings. The headless shell, which the other tests use, has neither.
 * @returns {FoundEngine | undefined}
 */
export function wholeChromium() {
  const binary = program(process.env['CHROMIUM_BIN'], chromiums);
  return binary === undefined ? undefined : { engine: 'chromium', binary, driver: '' };
}

/**
 * @param {EngineName} engine
 * @returns {FoundEngine | MissingEngine}
 */
export function findEngine(engine) {
  const { env } = process;
  switch (engine) {
    case 'chromium': {
      // The headless shell is the same engine without the user interface, and takes less processor time.
      const binary = program(env['CHROMIUM_BIN'], ['chromium-headless-shell', ...chromiums]);
      return binary === undefined ? { engine, missing: 'no chromium on PATH' } : { engine, binary, driver: '' };
    }
    case 'firefox': {
      const binary = program(env['FIREFOX_BIN'], ['firefox-esr', 'firefox']);
      return binary === undefined
        ? { engine, missing: 'no firefox-esr or firefox on PATH' }
        : { engine, binary, driver: '' };
    }
    case 'webkit': {
      const driver = program(env['WEBKIT_DRIVER_BIN'], ['WebKitWebDriver']);
      const binary = env['WEBKIT_BIN'] ?? miniBrowsers()[0];
      if (driver === undefined) return { engine, missing: 'no WebKitWebDriver on PATH' };
      if (binary === undefined) return { engine, missing: 'no MiniBrowser of WebKitGTK' };
      if (program(undefined, ['Xvfb']) === undefined) return { engine, missing: 'no Xvfb on PATH' };
      return { engine, binary, driver };
    }
  }
}

/**
 * @param {FoundEngine} found Chromium or Firefox
 * @returns {{ executablePath: string, args?: string[], channel?: string }} Playwright's launch options
 */
export function launchOptions({ engine, binary }) {
  // The channel makes Playwright use WebDriver BiDi, which an unmodified Firefox supports.
  if (engine === 'firefox') return { executablePath: binary, channel: 'moz-firefox' };
  // Chromium's sandbox does not work for root.
  return { executablePath: binary, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}

/** Whether this run is `npm test -- all`, in which each scenario runs in every engine. */
export const isWholeMatrix = process.env['ALL_ENGINES'] === '1';

/** @returns {EngineName[]} the engines in REQUIRE_ENGINES */
function required() {
  const value = process.env['REQUIRE_ENGINES'] ?? '';
  const named = value.split(/[\s,]+/).filter((name) => name !== '');
  if (named.includes('all')) return engineNames;
  return named.map((name) => {
    const engine = engineNames.find((known) => known === name);
    if (engine === undefined) throw new Error(`REQUIRE_ENGINES contains an unknown engine: ${name}`);
    return engine;
  });
}

/**
 * Returns the engines to test in.
 * @param {EngineName[]} [wanted]
 * @returns {FoundEngine[]}
 */
export function availableEngines(wanted = engineNames) {
  const must = required();
  return wanted.flatMap((name) => {
    const found = findEngine(name);
    if ('binary' in found) return [found];
    if (must.includes(name)) throw new Error(`${name} is required and missing: ${found.missing}`);
    process.stderr.write(
      `\n!!! ${name} is NOT tested on this machine: ${found.missing} (scripts/setup test installs it)\n\n`,
    );
    return [];
  });
}

/**
 * Skips a step if none of its engines is on this machine, unless REQUIRE_ENGINES contains one: then the step runs and
 * fails.
 * @param {EngineName[]} engines
 * @returns {() => string | undefined} the reason, for scripts/steps.mjs
 */
export function withoutEngines(engines) {
  return () => {
    try {
      return availableEngines(engines).length > 0 ? undefined : `not on this machine: ${engines.join(', ')}`;
    } catch {
      return undefined;
    }
  };
}
