// @ts-check
// `npm run golden`: writes the golden tables again, after a change that changes bytes on purpose; `--check` compares.
// The work is done by tests with "golden" in their name, which read GOLDEN (`write` or `check`): tests of the crates
// (which `cargo test` runs too) and tests/golden/*.golden.mjs, which check the same tables in WebAssembly.
import fs from 'node:fs';
import path from 'node:path';
import { buildWasm } from './build-wasm.mjs';
import { mustRun } from './steps.mjs';
import { root, toolEnv } from './toolchain.mjs';

const writing = !process.argv.includes('--check');
const env = { ...toolEnv(), GOLDEN: writing ? 'write' : 'check' };
const folder = path.join(root, 'tests/golden');
const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.golden.mjs')) : [];

if (writing) {
  await mustRun(['cargo', 'test', '--workspace', '--locked', '--', 'golden'], { env });
  await buildWasm();
}
for (const file of files.sort()) await mustRun(['node', path.join(folder, file)], { env });
console.log(`golden tables: ${files.length} ${writing ? 'written' : 'compared'} from WebAssembly`);
