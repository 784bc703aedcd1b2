// @ts-check
// `npm run bench [name…]`: builds, then runs tests/bench/*.bench.mjs one after another, nothing beside them. Each prints its
// own table: ours against others, in one run, same bytes in.
import fs from 'node:fs';
import path from 'node:path';
import { buildAll } from './build.mjs';
import { mustRun } from './steps.mjs';
import { root } from './toolchain.mjs';

const wanted = process.argv.slice(2);
const folder = path.join(root, 'tests/bench');
const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.bench.mjs')) : [];
const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)));

await buildAll();
for (const file of chosen.sort()) {
  console.log(`\n== ${file}`);
  await mustRun(['node', path.join(folder, file)]);
}
console.log(`\n${chosen.length} benchmarks run`);
