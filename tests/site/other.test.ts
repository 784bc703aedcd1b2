// A deployment with every option set: a base path, an analytics id, a contact address, an operator, a host. It is built
// once into a folder of its own and tested in real engines.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/toolchain.mjs';
import { once, picture } from './in-engines.ts';
import { site as config } from './other-config.ts';
import { isMarked, mark, open, pause } from './site.ts';

const BASE = config.basePath;
const HOME = `${BASE}/en/`;
const PRIVACY = `footer a[href="${BASE}/privacy-policy/"]`;

/** The root folder of the domain: the site in its folder, and the files that a host reads at the root. */
let domain = '';
beforeAll(() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'other-site-'));
  // The build is for production, also if NODE_ENV is set for tests.
  const { NODE_ENV: _, ...env } = process.env;
  const command = ['scripts/build-site.mjs', folder, 'tests/site/other-config.ts'];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  domain = path.join(folder, 'domain');
  fs.mkdirSync(domain);
  fs.renameSync(path.join(folder, 'site'), path.join(domain, BASE));
  for (const name of ['_headers', '404.html']) fs.copyFileSync(path.join(domain, BASE, name), path.join(domain, name));
});
afterAll(() => fs.rmSync(path.dirname(domain), { recursive: true, force: true }));

const read = (name: string) => fs.readFileSync(path.join(domain, BASE, name), 'utf8');
const bare = (html: string) => html.replace(/<script[\s\S]*?<\/script>/g, '');

describe('the build contains the configured values', () => {
  test('contact line: a plain mail link, in every language', () => {
    const texts = { en: 'Still have a Question?', 'zh-CN': '还有疑问？', 'zh-TW': '還有疑問？' };
    for (const [locale, text] of Object.entries(texts)) {
      expect(bare(read(`${locale}/index.html`))).toMatch(
        new RegExp(`<a href="mailto:${config.contact}">.*${text.replace('?', '\\?')}</a>`),
      );
    }
  });

  test('a site without a decoder of HEVC contains no file of it, and its texts say so', () => {
    const files = fs.readdirSync(path.join(domain, BASE, 'assets'), { recursive: true }).map(String);
    expect(files.some((file) => file.includes('avif'))).toBe(true);
    expect(files.filter((file) => /heic(?!-device)/.test(file))).toEqual([]);
    expect(read('sw.js')).not.toContain('heic_bg');
    expect(read('sw.js')).toContain('heic-device_bg');
    expect(bare(read('en/index.html'))).toContain('Where your browser can: Safari can');
    expect(bare(read('privacy-policy/index.html'))).not.toContain('HEIC');
  });

  test('the privacy policy contains operator, host, contact and analytics', () => {
    const text = bare(read('privacy-policy/index.html'));
    for (const fact of [config.operator, config.contact, config.host?.name, '14', config.analytics?.id]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toMatch(/\{\w+\}|<!-- (if|unless|end)/);
  });

  test('every address in pages, manifests and the sitemap begins with the base path', () => {
    for (const name of ['index.html', 'zh-TW/index.html', 'privacy-policy/index.html', '404.html']) {
      const found = [...read(name).matchAll(/(?:href|src|data-parts)="(\/[^"]*)"/g)];
      const addresses = found.flatMap(([, list = '']) => list.split(' '));
      expect(addresses.length).toBeGreaterThan(5);
      expect(addresses.filter((address) => !address.startsWith(`${BASE}/`))).toEqual([]);
    }
    const manifest = JSON.parse(read('manifest/en.webmanifest'));
    const { id, scope, start_url, share_target, file_handlers } = manifest;
    const addresses = [id, scope, start_url, share_target.action, file_handlers[0].action];
    expect(addresses.filter((address) => !address.startsWith(`${BASE}/`))).toEqual([]);
    expect(read('sitemap.xml')).toContain(`<loc>https://${config.domain}${HOME}</loc>`);
  });
});

once(
  (fixture) => {
    const views = () => fixture.site.requests().filter((request) => request.includes('/collect?'));
    const view = (path: string, locale: string) =>
      `GET ${BASE}/collect?id=T-42&path=${encodeURIComponent(path)}&locale=${locale}`;
    /** Checks the page views. A page view is sent after the page is shown. */
    async function expectViews(...wanted: string[]) {
      await expect.poll(views, { timeout: 5000 }).toEqual(wanted);
      await pause(300);
      expect(views()).toEqual(wanted);
    }

    test('base path: pages, data, chunks, worker and WebAssembly are found, with no request outside', async () => {
      await open(fixture.driver, fixture.site.url + HOME);
      expect(await fixture.driver.eval(() => performance.getEntriesByName('site:not-as-rendered').length)).toBe(0);
      await mark(fixture.driver);
      await fixture.driver.setFiles('input[type=file]', [picture()]);
      await fixture.driver.waitForText('main', '600 × 400');
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Privacy Policy');
      await fixture.driver.click('header a');
      await fixture.driver.waitForText('main', 'a.png');
      expect(await isMarked(fixture.driver)).toBe(true);
      expect(await fixture.driver.eval(() => location.pathname)).toBe(HOME);
      const outside = fixture.site.requests().filter((request) => !request.startsWith(`GET ${BASE}/`));
      expect(outside.filter((request) => request !== 'GET /favicon.ico')).toEqual([]);
    });

    test('a browser without a decoder of HEVC refuses HEIC photos with advice', async () => {
      await open(fixture.driver, fixture.site.url + HOME);
      await fixture.driver.setFiles('input[type=file]', [path.join(root, 'tests/fixtures/pictures/zone.heic')]);
      await fixture.driver.waitForText('main', 'This browser cannot open HEIC photos.');
    });

    test('base path: works offline, under its own scope', async () => {
      await open(fixture.driver, fixture.site.url + HOME);
      await fixture.driver.waitForText('footer', 'Ready for offline use');
      const scopes = await fixture.driver.eval(async () =>
        (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
      );
      expect(scopes).toEqual([`${BASE}/`]);
      fixture.site.setOffline(true);
      await open(fixture.driver, `${fixture.site.url}${BASE}/zh-TW/`);
      expect(await fixture.driver.text('main h1')).toBe('線上調整圖片大小');
      await open(fixture.driver, `${fixture.site.url}${BASE}/no/such/page`);
      expect(await fixture.driver.text('main h1')).toBe('Page not found');
    });

    test('analytics page view per route change, including the first: path, locale and id', async () => {
      await open(fixture.driver, `${fixture.site.url + HOME}?campaign=1`);
      const first = view('/en/', 'en');
      await expectViews(first);
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Privacy Policy');
      const second = view('/privacy-policy/', 'en');
      await expectViews(first, second);
      await fixture.driver.eval(() => history.back());
      await fixture.driver.waitForText('main h1', 'Resize Images Online');
      await expectViews(first, second, first);
      // A fragment of the current page is not another page view.
      await fixture.driver.eval(() => document.querySelector<HTMLElement>('a[href="#main"]')?.click());
      await fixture.driver.click('header button[aria-haspopup=menu]');
      await fixture.driver.click('[role=menuitem][lang=zh-CN]');
      await fixture.driver.waitForText('main h1', '在线调整图片大小');
      await expectViews(first, second, first, view('/zh-CN/', 'zh-CN'));
      expect(fixture.site.bodies()).toBe(0);
    });

    test('analytics: a page without a fixed language is counted with the shown language', async () => {
      await open(fixture.driver, `${fixture.site.url}${BASE}/`);
      await expectViews(view('/', 'en'));
    });
  },
  { engines: ['chromium', 'firefox'], serviceWorker: true, root: () => domain },
);
