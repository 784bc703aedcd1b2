// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licenceTexts, noticesOf, noticesText } from './notices.mjs';

/** @param {string[]} names @returns {string} a folder whose files contain their own names */
function folderWith(names) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'notices-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), name);
  }
  return folder;
}

test.each([
  ['MIT OR Apache-2.0', ['LICENSE-APACHE', 'LICENSE-MIT'], ['LICENSE-MIT']],
  ['Apache-2.0 OR MIT', ['LICENSE_APACHE', 'LICENSE_MIT'], ['LICENSE_MIT']],
  ['MIT/Apache-2.0', ['LICENSE-APACHE'], ['LICENSE-APACHE']],
  ['Apache-2.0 AND MIT', ['LICENSE-APACHE', 'LICENSE-MIT'], ['LICENSE-APACHE', 'LICENSE-MIT']],
  [
    '(MIT OR Apache-2.0) AND Unicode-3.0',
    ['LICENSE-APACHE', 'LICENSE-MIT', 'LICENSE-UNICODE'],
    ['LICENSE-MIT', 'LICENSE-UNICODE'],
  ],
  ['MIT', ['COPYING', 'NOTICE', 'README.md', 'license.js', 'licenses.txt'], ['COPYING', 'NOTICE']],
  ['MIT', ['codec/LICENSE.codec.md', 'node_modules/other/LICENSE'], ['codec/LICENSE.codec.md']],
])('of a package under %s with the files %j, the notices contain %j', (license, files, chosen) => {
  expect(licenceTexts(folderWith(files), license)).toEqual(chosen);
});

/** @param {string} name @param {string[]} texts */
const shipped = (name, texts) => ({ name, version: '1.0.0', license: 'MIT', texts });

test('packages with the same text share a notice, whatever its line ends', () => {
  const notices = noticesOf([shipped('b', ['One\r\ntext\n']), shipped('a', ['One text']), shipped('c', ['Other'])]);
  expect(notices.map(({ packages }) => packages.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
  expect(noticesText(notices)).toContain('a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nOne text\n');
});

test('a shipped package without a licence text is an error', () => {
  expect(() => noticesOf([shipped('a', ['One text']), shipped('bare', [])])).toThrow('bare 1.0.0');
});
