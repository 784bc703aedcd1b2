// @ts-check
// web/engine → dist/engine: the engine as an npm package of ES modules, for pages with and without a bundler and for
// Node. Its files refer to each other by `new URL('./…', import.meta.url)`.
import fs from 'node:fs';
import path from 'node:path';
import { build as bundle, parseAst } from 'vite';
import { buildIfStale, hashOf } from './fingerprint.mjs';
import { isMain } from './main.mjs';
import { generatedFolders, modulesOf } from './modules.mjs';
import { allNotices, collectPackages, noticeInputs, noticesFile, noticesText } from './notices.mjs';
import { mustRun } from './steps.mjs';
import { root } from './toolchain.mjs';

const outDir = path.join(root, 'dist/engine');
/** The package has the decoder of HEIC. */
const packaged = modulesOf('built-in');
const workers = packaged.flatMap((module) => module.workers.map((worker) => `${worker}.js`));
const modules = packaged.map(({ name }) => `${name}.wasm`);
const expected = [
  'package.json',
  'index.js',
  ...workers,
  'node.js',
  ...modules,
  'index.d.ts',
  'node.d.ts',
  'README.md',
  noticesFile,
];
/** The name of the package; its README contains it too. */
export const packageName = 'image-resizer-engine';

const readme = `# ${packageName}

Resizes images in the browser or in Node. Decoding, resampling and encoding run in one WebAssembly module, so results have the
same bytes everywhere. More modules draw SVG files at the size of the result, decode AVIF, HEIC and JPEG XL, and encode WebP, AVIF and
JPEG XL files; each is loaded when it is first needed. Nothing is uploaded.

## On a page

    import { createEngine, isFailed, jobMemory, uprightSize } from '${packageName}';

    const engine = createEngine();
    const info = await engine.probe(file); // file: a File or Blob; only the header is read
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

Each part is an image of the output, made from a frame of the file. \`crop\`, \`target\` and \`canvas\` are exact pixels of the
upright image. Any number of files may be given at once; jobs wait for their turn. \`probe\` and \`run\` never reject: failures are values.

Without a bundler, serve this folder as it is over http(s), \`.wasm\` as \`application/wasm\`, and import \`./index.js\`. With Vite, add
\`optimizeDeps: { exclude: ['${packageName}'] }\`, because the files find each other by their own addresses.

The workers need no network: their scripts may be served with
\`Content-Security-Policy: default-src 'none'; script-src 'wasm-unsafe-eval'\`. With Trusted Types on, allow the policy \`app-url\`.

## In Node

    import { isFailed, jobMemory, probe, run, uprightSize } from '${packageName}/node';

    const info = probe(bytes); // bytes: a Uint8Array
    // … the same job as above …
    const result = run(bytes, job);
    if (!isFailed(result)) fs.writeFileSync('small.jpg', result.bytes);

The calls are synchronous and run on the calling thread. SVG files are read, too: the same job draws them at the size of each part, or
with \`output: { format: 'svg' }\` writes them again with another size.

## Licences

\`THIRD-PARTY-NOTICES.txt\` has the notices of the software and the font that the modules contain.
`;

/** Returns the package.json for npm and bundlers. @returns {object} */
function packageJson() {
  const { version, license, engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return {
    name: packageName,
    version,
    description: 'Resizes images in the browser and in Node, with the same bytes everywhere.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './node': { types: './node.d.ts', default: './node.js' },
      ...Object.fromEntries([...workers, ...modules].map((name) => [`./${name}`, `./${name}`])),
      './package.json': './package.json',
    },
    types: './index.d.ts',
  };
}

/** @param {{ names: string[] }} asset the module `core_bg.wasm` becomes `core.wasm` */
function assetName({ names }) {
  return names[0]?.replace(/_bg\.wasm$/, '.wasm') ?? '[name][extname]';
}

/**
 * Bundles one entry of the package into one file.
 * @param {string} name
 * @param {string} entry
 * @param {Set<string>} packages receives the folders of the npm packages in the file
 */
async function bundleEntry(name, entry, packages) {
  const output = { entryFileNames: '[name].js', assetFileNames: assetName, codeSplitting: false };
  await bundle({
    configFile: false,
    logLevel: 'warn',
    root: path.join(root, 'web'),
    base: './', // every reference becomes `new URL('…', import.meta.url)`
    publicDir: false,
    plugins: [collectPackages(packages)],
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: { [name]: path.join(root, entry) },
        external: /^node:/,
        preserveEntrySignatures: 'strict',
        output,
      },
    },
    worker: { format: 'es', plugins: () => [collectPackages(packages)], rolldownOptions: { output } },
  });
}

/** Writes the type declarations of both entries, with the file extensions that TypeScript requires in packages. */
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
      allowJs: true,
      types: ['../node_modules/vite/client', '../node_modules/@types/node'],
    },
    include: [],
    files: ['../web/engine/index.ts', '../web/engine/node/index.ts'],
  };
  fs.writeFileSync(project, JSON.stringify(config));
  await mustRun(['tsc', '-p', project]);
  // The types that are generated from Rust are not compiled, so tsc has not written them.
  for (const { name, out } of packaged) {
    const folder = path.join(types, path.relative('web', out));
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(path.join(root, out, `${name}.d.ts`), path.join(folder, `${name}.d.ts`));
  }
  for (const file of fs.readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const full = path.join(types, file);
    if (!file.endsWith('.d.ts')) continue;
    fs.writeFileSync(full, fs.readFileSync(full, 'utf8').replace(/(['"]\.{1,2}\/[^'"]+)\.tsx?(['"])/g, '$1.js$2'));
  }
  fs.writeFileSync(path.join(outDir, 'index.d.ts'), "export * from './types/engine/index.js';\n");
  fs.writeFileSync(path.join(outDir, 'node.d.ts'), "export * from './types/engine/node/index.js';\n");
}

/** Checks the result: all files exist, and the workers import nothing. */
function verify() {
  const missing = expected.filter((name) => !fs.existsSync(path.join(outDir, name)));
  if (missing.length > 0) throw new Error(`dist/engine lacks ${missing.join(', ')}`);
  for (const name of workers) {
    const worker = fs.readFileSync(path.join(outDir, name), 'utf8');
    // The workers are served with a policy that forbids every request, so they cannot load a second file.
    const links = parseAst(worker).body.filter(({ type }) => type.startsWith('Import') || type.startsWith('Export'));
    if (links.length > 0 || /\bimport\s*\(|\bimportScripts\s*\(/.test(worker)) {
      throw new Error(`${name} is not self-contained: it imports or exports`);
    }
  }
}

async function build() {
  fs.rmSync(outDir, { recursive: true, force: true });
  /** @type {Set<string>} */
  const packages = new Set();
  await bundleEntry('index', 'web/engine/index.ts', packages);
  await bundleEntry('node', 'web/engine/node/index.ts', packages);
  await writeTypes();
  fs.writeFileSync(path.join(outDir, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`);
  fs.writeFileSync(path.join(outDir, 'README.md'), readme);
  fs.writeFileSync(path.join(outDir, noticesFile), noticesText(allNotices(packages)));
  for (const name of fs.readdirSync(root).filter((entry) => entry.startsWith('LICENSE'))) {
    fs.copyFileSync(path.join(root, name), path.join(outDir, name));
  }
  verify();
  for (const name of expected) console.log(`dist/engine/${name}: ${fs.statSync(path.join(outDir, name)).size} bytes`);
}

/** @returns {Promise<void>} */
export async function buildEngine() {
  const outcome = await buildIfStale({
    name: 'engine',
    inputs: ['web/engine', 'web/domain', 'tsconfig.base.json', 'tsconfig.web.json', 'scripts', ...noticeInputs],
    outputs: ['dist/engine'],
    also: hashOf(generatedFolders, { generated: true }),
    build,
  });
  if (outcome === 'fresh') console.log('dist/engine: unchanged');
}

if (isMain(import.meta)) await buildEngine();
