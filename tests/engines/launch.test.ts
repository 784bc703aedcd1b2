// Tests the project's own driver of WebKit on a page with the headers of the site. Playwright drives the other engines
// and has its own tests; `npm test -- all` tests the drivers of all three.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatHeaders, headerRules } from '../../scripts/headers.mjs';
import { type Server, serve } from '../../scripts/serve.mjs';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines, engineNames, isWholeMatrix } from '../lib/engines.mjs';

const page = `<!doctype html><html lang="en"><title>Engines</title><link rel="icon" href="data:,">
<input type="file" id="files" multiple><input id="name"><button id="greet" type="button">Greet</button>
<p id="said"></p><a id="save">Save</a><script type="module" src="/page.js"></script>`;

const script = `
const find = (id) => document.getElementById(id);
find('greet').addEventListener('click', () => { find('said').textContent = 'Hello ' + find('name').value; });
find('name').addEventListener('keydown', (event) => { if (event.key === 'Enter') find('said').textContent = 'Entered'; });
find('files').addEventListener('change', () => {
  const files = [...find('files').files];
  find('said').textContent = files.map((file) => file.name + ' ' + file.size).join(', ');
  find('save').href = URL.createObjectURL(files[0]);
  find('save').download = 'copy of ' + files[0].name;
});`;

describe.each(availableEngines(isWholeMatrix ? engineNames : ['webkit']))('$engine', ({ engine }) => {
  let folder: string;
  let server: Server;
  let driver: Driver;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engines-'));
    fs.writeFileSync(path.join(folder, 'index.html'), page);
    fs.writeFileSync(path.join(folder, 'page.js'), script);
    fs.writeFileSync(path.join(folder, '_headers'), formatHeaders(headerRules()));
    server = await serve({ root: folder });
    driver = await launch(engine, { layers: true });
    await driver.goto(server.url);
  });
  afterAll(async () => {
    await driver?.close();
    await server?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('a page opens and its script runs under the policy of the site', async () => {
    expect(await driver.eval(() => document.title)).toBe('Engines');
    expect(server.log.map((request) => request.path)).toContain('/page.js');
    expect(
      await driver.eval(() => fetch('/').then((response) => response.headers.get('content-security-policy'))),
    ).toMatch("default-src 'none'");
  });

  test('filling a field, clicking and pressing a key reach the page', async () => {
    await driver.fill('#name', 'Ada');
    await driver.click('#greet');
    await driver.waitForText('#said', 'Hello Ada');
    await driver.click('#name');
    await driver.press('Enter');
    await driver.waitForText('#said', 'Entered');
  });

  test('an input takes two files, and a download returns the bytes of the first', async () => {
    const files = ['one.txt', 'two.txt'].map((name) => path.join(folder, name));
    for (const file of files) fs.writeFileSync(file, path.basename(file).repeat(1000));
    await driver.setFiles('#files', files);
    await driver.waitForText('#said', 'one.txt 7000, two.txt 7000');
    expect(await driver.text('#said')).toBe('one.txt 7000, two.txt 7000');
    const saved = await driver.download(() => driver.click('#save'));
    expect(saved.name).toBe('copy of one.txt');
    expect(fs.readFileSync(saved.path, 'utf8')).toBe('one.txt'.repeat(1000));
  });

  test('eval passes arguments to the page and awaits its promise', async () => {
    expect(await driver.eval(async (a: number, b: number) => a + (await Promise.resolve(b)), 2, 3)).toBe(5);
    expect(await driver.waitFor((least: number) => performance.now() > least, [200])).toBe(true);
    await expect(driver.eval(() => Promise.reject(new Error('from the page')))).rejects.toThrow('from the page');
  });

  test('the window can be resized and captured', async () => {
    await driver.resize(800, 600);
    await driver.waitFor(() => innerWidth === 800, []);
    const png = await driver.screenshot();
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  });
});
