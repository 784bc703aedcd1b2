// @ts-check
// Checks the licences of the packages in the lockfile. Shipped packages must be permissive. Packages that only build or
// test may have another licence if they are listed here with a reason.
import fs from 'node:fs';
import path from 'node:path';
import { isMain } from './main.mjs';
import { root } from './toolchain.mjs';

const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);

/** @type {{ packages: RegExp, reason: string }[]} packages with other licences, which are not shipped */
const toolsOnly = [
  { packages: /^@img\/sharp-/, reason: 'libvips, LGPL: an oracle that tests and benchmarks compare with' },
  {
    packages: /^(axe-core|lightningcss(-.+)?)$/,
    reason: 'MPL-2.0: they check accessibility and compress style sheets',
  },
  { packages: /^argparse$/, reason: 'Python-2.0: it reads the configuration of stylelint' },
  { packages: /^svg-tags$/, reason: 'a list of names inside stylelint; its package says MIT in the readme alone' },
];

/**
 * @param {string} expression SPDX, without nesting beyond one pair of parentheses
 * @returns {boolean}
 */
function isPermissive(expression) {
  const flat = expression.replace(/[()]/g, '').replaceAll('/', ' OR ');
  if (flat.includes(' AND ')) return flat.split(' AND ').every(isPermissive);
  return flat.split(' OR ').some((name) => permissive.has(name.trim().replace(/ WITH .*/, '')));
}

/** @typedef {{ license?: string, dev?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * @param {Record<string, LockedPackage>} packages of package-lock.json
 * @returns {{ shipped: number, tools: number, problems: string[] }}
 */
export function checkLicences(packages) {
  const problems = [];
  let shipped = 0;
  let tools = 0;
  for (const [place, { license = 'no licence named', dev = false, devOptional = false }] of Object.entries(packages)) {
    if (place === '') continue;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isTool = dev || devOptional;
    if (isTool) tools++;
    else shipped++;
    if (isPermissive(license)) continue;
    if (!isTool) problems.push(`${name} is shipped and ${license}`);
    else if (!toolsOnly.some((entry) => entry.packages.test(name))) {
      problems.push(`${name} is ${license}: list it in scripts/licences.mjs with a reason, or remove it`);
    }
  }
  return { shipped, tools, problems };
}

if (isMain(import.meta)) {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const { shipped, tools, problems } = checkLicences(lock.packages);
  for (const problem of problems) console.error(problem);
  console.log(`npm licences: ${shipped} shipped packages, ${tools} tools, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
