// Requests during the use of the page and a batch, counted on the receiving side: at the site's own server, and at a
// second server that the page's policy must block. In all three engines.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serve } from '../../scripts/serve.mjs';
import { inEngines, picture } from './in-engines.ts';
import { open, pause } from './site.ts';

const PRIVACY = 'footer a[href="/privacy-policy/"]';

let elsewhere: Server;
beforeAll(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'));
  fs.writeFileSync(
    path.join(folder, 'index.html'),
    '<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">',
  );
  // The server allows every origin, so only the page's policy can block a request.
  elsewhere = await serve({
    root: folder,
    intercept: (_, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cross-origin-resource-policy', 'cross-origin');
      return false;
    },
  });
});
afterAll(() => elsewhere.close());

inEngines(
  'requests that the policy blocks',
  (fixture) => {
    describe('requests to any other origin, and requests with a body', () => {
      test('none during visits to the pages and a batch that is resized and saved', async () => {
        const { driver, site } = fixture;
        await open(driver, `${site.url}/en/`);
        const copy = path.join(path.dirname(picture()), 'b.png');
        fs.copyFileSync(picture(), copy);
        await driver.setFiles('input[type=file]', [picture(), copy]);
        await driver.waitForText('main', 'b.png');
        await driver.eval(() => {
          const width = document.querySelector<HTMLInputElement>('input[inputmode]');
          width?.focus();
          width?.select();
        });
        for (const digit of '60') await driver.press(digit);
        await driver.waitForText('main', '60 × 40');
        const press = (name: string) =>
          driver.waitFor(
            (text: string) => {
              const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
              const enabled = button !== undefined && !button.disabled && button.ariaDisabled !== 'true';
              if (enabled) button.click();
              return enabled;
            },
            [name],
          );
        await press('Resize Images');
        await driver.waitForText('main', '2 images resized', { timeoutMs: 30_000 });
        const saved = await driver.download(() => press('Save'), { timeoutMs: 30_000 });
        expect(fs.statSync(saved.path).size).toBeGreaterThan(100);
        await driver.click('header button[aria-pressed]');
        await driver.click(PRIVACY);
        await driver.waitForText('main h1', 'Privacy Policy');
        await driver.waitForText('footer', 'Ready for offline use');
        await pause(500);

        expect(elsewhere.log).toEqual([]);
        const methods = new Set(site.requests().map((request) => request.split(' ')[0]));
        expect([...methods]).toEqual(['GET']);
        expect(site.bodies()).toBe(0);
        // Only the page's own addresses, without data in a query.
        expect(site.requests().filter((request) => request.includes('?'))).toEqual([]);
        const origins = await driver.eval(() => [
          ...new Set(performance.getEntriesByType('resource').map(({ name }) => name.replace(/^blob:/, ''))),
        ]);
        expect(origins.filter((name) => !name.startsWith(site.url))).toEqual([]);
      });

      test('none if a script of the page tries; the second server receives a direct visit', async () => {
        const { driver, site } = fixture;
        await open(driver, `${site.url}/en/`);
        await driver.eval(async (url: string) => {
          const attempts = [
            () => fetch(url, { method: 'POST', body: 'x', mode: 'no-cors' }),
            () => fetch(url, { mode: 'no-cors' }),
            () => navigator.sendBeacon(url, 'x'),
            () => new WebSocket(url.replace('http', 'ws')),
            () => new EventSource(url),
            () => import(`${url}module.js`),
            () => {
              const request = new XMLHttpRequest();
              request.open('POST', url);
              request.send('x');
            },
            () => {
              new Image().src = `${url}a.png`;
            },
            () => {
              const form = Object.assign(document.createElement('form'), { action: url, method: 'post' });
              document.body.append(form);
              form.submit();
            },
            () => {
              const frame = Object.assign(document.createElement('iframe'), { src: url });
              document.body.append(frame);
            },
            () => {
              const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${url}a.css` });
              document.head.append(sheet);
            },
          ];
          // Some attempts throw, some reject, some fail silently.
          for (const attempt of attempts)
            await Promise.resolve()
              .then(attempt)
              .catch(() => undefined);
        }, `${elsewhere.url}/`);
        await pause(1000);
        expect(elsewhere.log).toEqual([]);
        await driver.goto(`${elsewhere.url}/index.html`);
        expect(elsewhere.log.map(({ path: asked }) => asked)).toContain('/index.html');
        elsewhere.log.splice(0);
      });
    });
  },
  { serviceWorker: true },
);
