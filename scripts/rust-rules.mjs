// @ts-check
// Checks lengths that rustfmt and Clippy do not check: rustfmt does not limit comments and strings, and Clippy does not
// count the lines of a file. The limits for functions and parameters are in clippy.toml.
import fs from 'node:fs';
import path from 'node:path';
import { isMain } from './main.mjs';
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

/** @returns {string[]} every Rust source below crates/ */
function sources() {
  return fs
    .readdirSync(path.join(root, 'crates'), { recursive: true, encoding: 'utf8' })
    .map((file) => `crates/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.rs') && !file.includes('/target/'));
}

if (isMain(import.meta)) {
  const files = sources();
  const broken = files.flatMap((file) => tooLong(file, fs.readFileSync(path.join(root, file), 'utf8')));
  for (const line of broken) console.error(line);
  console.log(`rust rules: ${files.length} files, ${broken.length} too long`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
