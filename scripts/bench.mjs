// @ts-check
// `npm run bench [name…] [-- file…]`: builds, then runs tests/bench/*.bench.mjs one after another. Each benchmark
// prints tables that compare this project with others in one run, with the same input bytes. The given files replace
// the inputs that the benchmarks make from ../shared.
import fs from 'node:fs';
import path from 'node:path';
import { buildEngine } from './build-engine.mjs';
import { buildSite } from './build-site.mjs';
import { buildWasm } from './build-wasm.mjs';
import { mustRun } from './steps.mjs';
import { root } from './toolchain.mjs';

const folder = path.join(root, 'tests/bench');
const ending = '.bench.mjs';
const benches = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .sort()
  .map((name) => name.slice(0, -ending.length));
const words = process.argv.slice(2);
const wanted = words.filter((word) => benches.includes(word));
const files = words.filter((word) => !benches.includes(word)).map((word) => path.resolve(word));

const missing = files.find((file) => !fs.existsSync(file));
if (missing !== undefined) {
  console.error(`${missing}: neither a file nor one of the benchmarks ${benches.join(', ')}`);
  process.exit(2);
}
await buildWasm();
await buildEngine();
await buildSite();
// Files can be given to the comparison only; the other benchmarks measure the pictures that they make.
const usual = files.length > 0 ? ['resize'] : benches;
for (const name of wanted.length > 0 ? wanted : usual) {
  console.log(`\n== ${name}`);
  await mustRun(['node', path.join(folder, name + ending), ...files]);
}
