// @ts-check
import { expect, test } from 'vitest';
import { checkLicences } from './licences.mjs';

/** @param {string} place @param {import('./licences.mjs').LockedPackage} locked */
const problems = (place, locked) => checkLicences({ [`node_modules/${place}`]: locked }).problems;

test.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND Zlib', 'MIT/Apache-2.0', '(MIT OR Apache-2.0) AND Unicode-3.0'])(
  'a shipped package may be %s',
  (license) => {
    expect(problems('some', { license })).toEqual([]);
  },
);

test.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MPL-2.0', 'UNLICENSED'])(
  'a shipped package may not be %s',
  (license) => {
    expect(problems('some', { license })).toHaveLength(1);
  },
);

test('a shipped package must name its licence', () => {
  expect(problems('some', {})).toHaveLength(1);
});

test('a tool that is not permissive must be listed', () => {
  expect(problems('@img/sharp-libvips-linux-x64', { license: 'LGPL-3.0-or-later', dev: true })).toEqual([]);
  expect(problems('@img/sharp-libvips-linux-x64', { license: 'LGPL-3.0-or-later' })).toHaveLength(1);
  expect(problems('another', { license: 'LGPL-3.0-or-later', dev: true })).toHaveLength(1);
});
