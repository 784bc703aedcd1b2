// Tests dist/engine on a page without a bundler, with the content security policies of the site, in each engine.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatHeaders, headerRules, workerFolder } from '../../scripts/headers.mjs';
import { type Server, serve } from '../../scripts/serve.mjs';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines } from '../lib/engines.mjs';

const page = `<!doctype html><html lang="en"><title>Engine</title><link rel="icon" href="data:,">
<input type="file" id="files" multiple><script type="module" src="/page.js"></script>`;

const script = `
import { createEngine, isFailed, jobMemory } from '/${workerFolder}/index.js';
const violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
const engine = createEngine({ warmWhenIdle: false });
const fileAt = (i) => document.getElementById('files').files[i];

window.probeFile = async (i) => {
  const info = await engine.probe(fileAt(i));
  return isFailed(info) ? info.failure.code : info.format + ' ' + info.width + ' ' + info.height;
};
window.resizeFile = async (i, size, width, height) => {
  const parts = [{ frame: 0, crop: { x: 0, y: 0, ...size }, target: { width, height }, canvas: null }];
  const info = { ...size, format: 'bmp', orientation: 1, depth: 8, frameSizes: [], workingSet: 0, hasPalette: false, hasGainMap: false };
  const job = { parts, kernel: 'lanczos3', light: 'auto', memory: jobMemory(info, { files: [parts], format: 'png' }),
    metadata: 'keep-without-location', output: { format: 'png', quality: null, background: [255, 255, 255] } };
  const result = await engine.run(fileAt(i), job);
  return isFailed(result) ? result.failure.code : result.format + ' ' + result.width + ' ' + result.height + ' ' + result.blob.type;
};
window.violations = violations;
document.title = 'Ready';`;

declare global {
  interface Window {
    probeFile(index: number): Promise<string>;
    resizeFile(index: number, size: { width: number; height: number }, width: number, height: number): Promise<string>;
    violations: string[];
  }
}

const size = { width: 1200, height: 900 };

/** Makes a BMP with 24 bits per pixel. */
function bmp(shade: number): Buffer {
  const bytes = Buffer.alloc(54 + size.width * size.height * 3, shade);
  bytes.fill(0, 0, 54);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(size.width, 18);
  bytes.writeInt32LE(size.height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

describe.each(availableEngines())('$engine', ({ engine }) => {
  let folder: string;
  let server: Server;
  let driver: Driver;
  const file = (name: string) => path.join(folder, name);

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engine-'));
    const built = path.join(import.meta.dirname, '../../dist/engine');
    // The folder to which the site's strictest policy, the policy of workers, applies.
    fs.cpSync(built, path.join(folder, workerFolder), { recursive: true });
    fs.writeFileSync(file('index.html'), page);
    fs.writeFileSync(file('page.js'), script);
    fs.writeFileSync(file('_headers'), formatHeaders(headerRules()));
    for (const name of ['kept.bmp', 'changed.bmp', 'deleted.bmp']) fs.writeFileSync(file(name), bmp(100));
    server = await serve({ root: folder });
    driver = await launch(engine);
    await driver.goto(server.url);
    await driver.waitFor(() => document.title === 'Ready', []);
    await driver.setFiles('#files', ['kept.bmp', 'changed.bmp', 'deleted.bmp'].map(file));
  });
  afterAll(async () => {
    await driver?.close();
    await server?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const probe = (index: number) => driver.eval((i: number) => window.probeFile(i), index);
  const resize = (index: number) =>
    driver.eval((i: number, own: typeof size) => window.resizeFile(i, own, 400, 300), index, size);

  test('a file can be probed and resized under the policies of the site', async () => {
    expect(await probe(0)).toBe('bmp 1200 900');
    expect(await resize(0)).toBe('png 400 300 image/png');
    expect(await driver.eval(() => window.violations)).toEqual([]);
  });

  test('reading and resizing pictures sends no request', async () => {
    await resize(0);
    const asked = server.log.length;
    await probe(0);
    await resize(0);
    expect(server.log.slice(asked)).toEqual([]);
  });

  test('a file that was changed or deleted after it was chosen fails, and the next file succeeds', async () => {
    expect([await probe(1), await probe(2)]).toEqual(['bmp 1200 900', 'bmp 1200 900']);
    fs.writeFileSync(file('changed.bmp'), bmp(200).subarray(0, 5000));
    fs.rmSync(file('deleted.bmp'));
    expect([await resize(1), await resize(2)]).toEqual(['read', 'read']);
    expect(await resize(0)).toBe('png 400 300 image/png');
  });
});
