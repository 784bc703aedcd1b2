// @ts-check
// web/engine → dist/engine: the engine for any page, without a bundler. A folder of plain files that find each other by
// `new URL('./…', import.meta.url)`: index.js, worker.js, core.wasm, types/, README.md, LICENSE.
import fs from 'node:fs';
import path from 'node:path';
import { build as bundle, parseAst } from 'vite';
import { freshly, hashOf } from './fingerprint.mjs';
import { isMain } from './main.mjs';
import { mustRun } from './steps.mjs';
import { root } from './toolchain.mjs';

const outDir = path.join(root, 'dist/engine');
const expected = ['index.js', 'worker.js', 'core.wasm', 'index.d.ts', 'README.md'];

const readme = `# The engine

Resizes images in the browser; nothing is uploaded, and the worker that sees the images needs no network.
Serve this folder as it is, over http(s), \`.wasm\` as \`application/wasm\`. No bundler needed, none in the way.

    import { createEngine, isFailed, jobMemory, uprightSize } from './engine/index.js';

    const engine = createEngine();
    const info = await engine.probe(file); // file: a File or Blob; reads the header only
    if (isFailed(info)) throw new Error(info.failure.detail);
    const { width, height } = uprightSize(info);
    const target = { width: 1920, height: Math.max(1, Math.round((height * 1920) / width)) };
    const parts = [{ frame: 0, crop: { x: 0, y: 0, width, height }, target, canvas: null }];
    const output = { format: 'jpeg', quality: null, background: [255, 255, 255] };
    const memory = jobMemory(info, { files: [parts], format: 'jpeg' });
    const metadata = 'keep-without-location';
    const job = { parts, kernel: 'lanczos3', light: 'auto', output, metadata, memory };
    const result = await engine.run(file, job, { onProgress: ({ fraction }) => console.log(fraction) });
    if (!isFailed(result)) image.src = URL.createObjectURL(result.blob);
    engine.dispose();

Each part is a picture of the output, made from a frame of the file; \`crop\`, \`target\` and \`canvas\` are exact pixels of the upright picture. Many files at once are welcome: jobs wait for their turn.
\`probe\` and \`run\` never reject: what becomes of a file is a value.
worker.js may be served with \`Content-Security-Policy: default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:\`.
Without the last of them it works too, but waits for files that a second thread would read meanwhile.
With Trusted Types on, allow the policy \`app-url\`.
`;

/** @param {{ names: string[] }} asset */
function assetName({ names }) {
  return names[0]?.endsWith('.wasm') ? 'core.wasm' : '[name][extname]';
}

async function bundleScripts() {
  await bundle({
    configFile: false,
    logLevel: 'warn',
    root: path.join(root, 'web'),
    base: './', // every reference becomes `new URL('…', import.meta.url)`
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: { index: path.join(root, 'web/engine/index.ts') },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', assetFileNames: assetName, codeSplitting: false },
      },
    },
    worker: {
      format: 'es',
      rolldownOptions: {
        output: { entryFileNames: '[name].js', assetFileNames: assetName, codeSplitting: false },
      },
    },
  });
}

/** The declarations that index.ts leads to, with the endings that a page's tools look for. */
async function writeTypes() {
  const types = path.join(outDir, 'types');
  const project = path.join(root, '.tools/tsconfig.engine.json');
  const config = {
    extends: '../tsconfig.web.json',
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '../web',
      outDir: types,
      tsBuildInfoFile: null,
      types: ['../node_modules/vite/client'],
    },
    include: [],
    files: ['../web/engine/index.ts'],
  };
  fs.writeFileSync(project, JSON.stringify(config));
  await mustRun(['tsc', '-p', project]);
  // Types that were made from Rust are not compiled, so nothing has put them there yet.
  fs.mkdirSync(path.join(types, 'engine/core'), { recursive: true });
  fs.copyFileSync(path.join(root, 'web/engine/core/core.d.ts'), path.join(types, 'engine/core/core.d.ts'));
  for (const file of fs.readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const full = path.join(types, file);
    if (!file.endsWith('.d.ts')) continue;
    fs.writeFileSync(full, fs.readFileSync(full, 'utf8').replace(/(['"]\.{1,2}\/[^'"]+)\.tsx?(['"])/g, '$1.js$2'));
  }
  fs.writeFileSync(path.join(outDir, 'index.d.ts'), "export * from './types/engine/index.js';\n");
}

/** What the folder promises: it is whole, and its worker asks for nothing. */
function verify() {
  const missing = expected.filter((name) => !fs.existsSync(path.join(outDir, name)));
  if (missing.length > 0) throw new Error(`dist/engine lacks ${missing.join(', ')}`);
  const worker = fs.readFileSync(path.join(outDir, 'worker.js'), 'utf8');
  // A worker that is served with a policy against every request cannot load a second file.
  const links = parseAst(worker).body.filter(({ type }) => type.startsWith('Import') || type.startsWith('Export'));
  if (links.length > 0 || /\bimport\s*\(|\bimportScripts\b/.test(worker)) {
    throw new Error('worker.js is not self-contained: it imports or exports');
  }
}

async function build() {
  await bundleScripts();
  await writeTypes();
  fs.writeFileSync(path.join(outDir, 'README.md'), readme);
  for (const name of fs.readdirSync(root).filter((entry) => entry.startsWith('LICENSE'))) {
    fs.copyFileSync(path.join(root, name), path.join(outDir, name));
  }
  verify();
  for (const name of expected) console.log(`dist/engine/${name}: ${fs.statSync(path.join(outDir, name)).size} bytes`);
}

/** @returns {Promise<void>} */
export async function buildEngine() {
  const outcome = await freshly({
    name: 'engine',
    inputs: ['web/engine', 'web/domain', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.web.json', 'scripts'],
    outputs: ['dist/engine'],
    also: hashOf(['web/engine/core'], { generated: true }),
    build,
  });
  if (outcome === 'fresh') console.log('dist/engine: unchanged');
}

if (isMain(import.meta)) await buildEngine();
