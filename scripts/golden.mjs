// @ts-check
// `npm run golden`: writes the golden tables anew, for a change that is meant to change bytes; `--check` compares. Tests
// whose name holds "golden" do the work and read GOLDEN, which is `write` or `check`: those of the crates (compared by
// `cargo test` anyway) and tests/golden/*.golden.mjs, which see the same tables from WebAssembly.
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
