// Tests dist/engine as a package: after `npm pack` and an installation in an empty project, it resizes a photograph and a
// drawing on a page built by Vite, on a page without a bundler, and in Node, to the same bytes. Only in Chromium: engine.test.ts
// tests the engines.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageName } from '../../scripts/build-engine.mjs';
import { type Server, serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';
import { DRAWING } from '../../web/engine/testing/drawing.ts';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines } from '../lib/engines.mjs';

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const candidates = [
  path.join(shared, 'photos/digicam_corpus_Nikon_D90_DSC_0001.JPG'),
  path.join(root, 'tests/fixtures/pictures/zone-95.jpg'),
];
const photo = candidates.find((file) => fs.existsSync(file)) ?? '';

/** The job of all three as text, because the page, the bundler and Node each read it from a file. */
const job = `
export function jobFor(info, { jobMemory, uprightSize }) {
  const { width, height } = uprightSize(info);
  const target = { width: 160, height: Math.round((height * 160) / width) };
  const parts = [{ frame: 0, crop: { x: 0, y: 0, width, height }, target, canvas: null }];
  const memory = jobMemory(info, { files: [parts], format: 'jpeg' });
  const output = { format: 'jpeg', quality: 90, background: [255, 255, 255] };
  return { parts, kernel: 'lanczos3', light: 'auto', output, metadata: 'keep-without-location', memory };
}`;

/** @param from the address of the package for the page */
const page = (from: string) => `
import * as engineModule from '${from}';
import { jobFor } from './job.js';
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const engine = engineModule.createEngine({ warmWhenIdle: false });
const resize = async (name) => {
  const file = await (await fetch(name)).blob();
  const info = await engine.probe(file);
  const result = engineModule.isFailed(info) ? info : await engine.run(file, jobFor(info, engineModule));
  if (engineModule.isFailed(result)) return JSON.stringify(result.failure);
  return hex(await crypto.subtle.digest('SHA-256', await result.blob.arrayBuffer()));
};
document.title = [await resize('/photo.jpg'), await resize('/drawing.svg')].join(' ');`;

const node = `
import fs from 'node:fs';
import * as engineModule from '${packageName}/node';
import { jobFor } from './job.js';
for (const name of ['photo.jpg', 'drawing.svg']) {
  const file = fs.readFileSync(name);
  const result = engineModule.run(file, jobFor(engineModule.probe(file), engineModule));
  if (engineModule.isFailed(result)) throw new Error(JSON.stringify(result.failure));
  fs.writeFileSync(name + '.jpg', result.bytes);
}`;

const typed = `
import { createEngine, type Engine, type ResizeJob } from '${packageName}';
import { isFailed, probe } from '${packageName}/node';
export const engine: Engine = createEngine();
export const withJob = (file: Blob, job: ResizeJob) => engine.run(file, job);
export const width = (bytes: Uint8Array): number => {
  const info = probe(bytes);
  return isFailed(info) ? 0 : info.width;
};`;

const RESULTS = ['photo.jpg.jpg', 'drawing.svg.jpg'];

let project: string;
let server: Server | undefined;
let driver: Driver | undefined;
/** The SHA-256 of the results in Node: the photograph's and the drawing's. */
let expected: string;

const inProject = (...names: string[]) => path.join(project, ...names);
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: project, encoding: 'utf8' });

beforeAll(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'package-'));
  fs.writeFileSync(inProject('package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const packed = run('npm', 'pack', path.join(root, 'dist/engine'), '--json', '--loglevel=error');
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', `./${filename}`);

  fs.mkdirSync(inProject('public'));
  for (const folder of ['.', 'public']) {
    fs.copyFileSync(photo, inProject(folder, 'photo.jpg'));
    fs.writeFileSync(inProject(folder, 'drawing.svg'), DRAWING);
  }
  fs.writeFileSync(inProject('job.js'), job);
  fs.writeFileSync(inProject('node.js'), node);
  fs.writeFileSync(inProject('bundled.js'), page(packageName));
  fs.writeFileSync(inProject('plain.js'), page(`./node_modules/${packageName}/index.js`));
  for (const name of ['bundled', 'plain']) {
    const html = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${name}.js"></script>`;
    fs.writeFileSync(inProject(`${name}.html`), html);
  }

  run(process.execPath, 'node.js');
  const hashes = RESULTS.map((name) =>
    createHash('sha256')
      .update(fs.readFileSync(inProject(name)))
      .digest('hex'),
  );
  expected = hashes.join(' ');
});

afterAll(async () => {
  await driver?.close();
  await server?.close();
  fs.rmSync(project, { recursive: true, force: true });
});

async function titleOf(folder: string, name: string): Promise<string> {
  server = await serve({ root: folder });
  driver = await launch('chromium');
  await driver.goto(`${server.url}/${name}.html`);
  const title = await driver.waitFor(() => document.title, []);
  await driver.close();
  await server.close();
  return title;
}

test.each(RESULTS)('Node writes a JPEG: %s', (name) => {
  expect([...fs.readFileSync(inProject(name)).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
});

test.skipIf(availableEngines(['chromium']).length === 0)('a page without a bundler writes the same bytes', async () => {
  expect(await titleOf(project, 'plain')).toBe(expected);
});

test.skipIf(availableEngines(['chromium']).length === 0)('a page built by Vite writes the same bytes', async () => {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: project,
    build: { target: 'es2022', rolldownOptions: { input: inProject('bundled.html') } },
  });
  expect(await titleOf(inProject('dist'), 'bundled')).toBe(expected);
});

test('the declarations of both entries compile under the strictest settings', () => {
  fs.writeFileSync(inProject('typed.ts'), typed);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', 'node'];
  const resolve = ['--module', 'nodenext', '--typeRoots', path.join(root, 'node_modules/@types')];
  run(path.join(root, 'node_modules/.bin/tsc'), ...options, ...resolve, '--skipLibCheck', 'false', 'typed.ts');
});
