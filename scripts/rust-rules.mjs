// @ts-check
// Checks what rustfmt and Clippy do not check: rustfmt does not limit comments and strings, Clippy does not count the
// lines of a file, and neither finds files that use each other. The limits for functions and parameters are in
// clippy.toml.
import fs from 'node:fs';
import path from 'node:path';
import { isMain } from './main.mjs';
import { circles } from './rust-circles.mjs';
import { root } from './toolchain.mjs';

const MAX_COLUMNS = 120;
const MAX_LINES = 400;

/**
 * @param {string} source
 * @returns {number} the number of lines without the test module at the end
 */
function linesWithoutTests(source) {
  const tests = source.search(/^#\[cfg\(test\)\]\nmod \w+ \{$/m);
  const code = tests < 0 ? source : source.slice(0, tests);
  return code.trimEnd().split('\n').length;
}

/**
 * @param {string} file a path below the project's folder, with forward slashes
 * @param {string} source its text
 * @returns {string[]} a message for each line and file that is too long
 */
export function tooLong(file, source) {
  const broken = source.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    return columns > MAX_COLUMNS ? [`${file}:${index + 1}: ${columns} columns, ${MAX_COLUMNS} are allowed`] : [];
  });
  const lines = linesWithoutTests(source);
  if (lines > MAX_LINES && !file.includes('/tests/')) {
    broken.push(`${file}: ${lines} lines without tests, ${MAX_LINES} are allowed`);
  }
  return broken;
}

/** @returns {string[]} every Rust source below crates/, but for changed crates of other authors */
function sources() {
  return fs
    .readdirSync(path.join(root, 'crates'), { recursive: true, encoding: 'utf8' })
    .map((file) => `crates/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.rs') && !file.includes('/target/') && !file.startsWith('crates/vendor/'));
}

/**
 * @param {string[]} files
 * @returns {string[]} a message for each group of files of a crate that use each other in a circle
 */
function inCircles(files) {
  /** @type {Map<string, Record<string, string>>} */
  const crates = new Map();
  for (const file of files) {
    const [, name, below] = /^crates\/([^/]+)\/src\/(.+)$/.exec(file) ?? [];
    if (name === undefined || below === undefined) continue;
    const sources = crates.get(name) ?? {};
    sources[below] = fs.readFileSync(path.join(root, file), 'utf8');
    crates.set(name, sources);
  }
  return [...crates].flatMap(([name, sources]) =>
    circles(sources).map((group) => `crates/${name}: these files use each other in a circle: ${group.join(', ')}`),
  );
}

if (isMain(import.meta)) {
  const files = sources();
  const long = files.flatMap((file) => tooLong(file, fs.readFileSync(path.join(root, file), 'utf8')));
  const circular = inCircles(files);
  for (const line of [...long, ...circular]) console.error(line);
  console.log(`rust rules: ${files.length} files, ${long.length} too long, ${circular.length} circles`);
  process.exitCode = long.length + circular.length === 0 ? 0 : 1;
}
