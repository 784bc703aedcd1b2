// The service worker in real engines: everything works offline after the first visit, updates come without a white
// screen, and what other apps share never reaches the network.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Fixture, inEngines, once, picture } from './in-engines.ts';
import { fullNavigation, isMarked, mark, open, pause, siteDir } from './site.ts';

const PRIVACY = 'footer a[href="/privacy-policy/"]';

/** Opens the site and waits until all of it is stored. */
async function firstVisit({ driver, site }: Fixture) {
  await open(driver, `${site.url}/en/`);
  await driver.waitForText('footer', 'Ready for offline use');
}

inEngines(
  'service workers, caches and forms',
  (fixture) => {
    describe('everything works offline after the first visit', () => {
      test('pages: reload, other pages, unknown ones', async () => {
        await firstVisit(fixture);
        fixture.site.setOffline(true);
        await open(fixture.driver, `${fixture.site.url}/en/`);
        expect(await fixture.driver.text('main h1')).toBe('Resize Images Online');
        await mark(fixture.driver);
        await fixture.driver.click(PRIVACY);
        await fixture.driver.waitForText('main h1', 'Privacy Policy');
        expect(await isMarked(fixture.driver)).toBe(true);
        await open(fixture.driver, `${fixture.site.url}/zh-TW/`);
        expect(await fixture.driver.text('main h1')).toBe('線上調整圖片大小');
        await open(fixture.driver, `${fixture.site.url}/no/such/page`);
        expect(await fixture.driver.text('main h1')).toBe('Page not found');
      });

      test('resizing: worker and WebAssembly come from the store, with the worker’s own policy', async () => {
        await firstVisit(fixture);
        fixture.site.setOffline(true);
        await open(fixture.driver, `${fixture.site.url}/en/`);
        await fixture.driver.setFiles('input[type=file]', [picture()]);
        await fixture.driver.waitForText('main', 'Already smaller');
        // As somebody types: WebKit's driver clears a field without an `input` event.
        await fixture.driver.eval(() => {
          const width = document.querySelector<HTMLInputElement>('input[inputmode]');
          width?.focus();
          width?.select();
        });
        for (const digit of '60') await fixture.driver.press(digit);
        await fixture.driver.waitForText('main', '60 × 40');
        // The row says its size a moment before the button wakes up.
        await fixture.driver.waitFor(() => {
          const buttons = [...document.querySelectorAll('button')];
          const button = buttons.find(({ textContent }) => textContent === 'Resize Images');
          const awake = button !== undefined && !button.disabled && button.ariaDisabled !== 'true';
          if (awake) button.click();
          return awake;
        }, []);
        await fixture.driver.waitForText('main', '1 image resized', { timeoutMs: 30_000 });
        const policy = await fixture.driver.eval(async () => {
          const names = await caches.keys();
          const cache = await caches.open(names.find((name) => name.startsWith('site-')) ?? '');
          const worker = (await cache.keys()).find(({ url }) => url.includes('/assets/worker/'));
          return worker === undefined ? '' : (await cache.match(worker))?.headers.get('content-security-policy');
        });
        expect(policy).toContain("connect-src 'none'");
      });
    });

    test('an update found → the next navigation is a full load, and shows a page', async () => {
      await firstVisit(fixture);
      const next = `${fs.readFileSync(`${siteDir}/sw.js`, 'utf8')}\n// the next build`;
      fixture.site.fault('/sw.js', { status: 200, body: next });
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await fixture.driver.waitFor(
        () => navigator.serviceWorker.getRegistration().then((found) => (found?.waiting ?? null) !== null),
        [],
      );
      await pause(300);
      await mark(fixture.driver);
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await fixture.driver.text('main h1')).toBe('Privacy Policy');
      await fixture.driver.waitFor(
        () => navigator.serviceWorker.getRegistration().then((found) => found?.waiting === null),
        [],
        { timeoutMs: 30_000 },
      );
    });

    test('images that another app shares are taken on the device: the server sees no request with a body', async () => {
      await firstVisit(fixture);
      await open(fixture.driver, `${fixture.site.url}/en/`);
      fixture.site.forget();
      const bytes = createHash('sha256').update('not a picture').digest('hex');
      await fixture.driver.eval(async (content: string) => {
        const form = new FormData();
        form.append('images', new File([content], 'shared.txt', { type: 'image/png' }));
        await fetch('/share/', { method: 'POST', body: form, redirect: 'manual' });
      }, bytes);
      await open(fixture.driver, `${fixture.site.url}/?shared`);
      await fixture.driver.waitForText('main', 'shared.txt');
      expect(fixture.site.requests().filter((request) => request.startsWith('POST'))).toEqual([]);
    });
  },
  { serviceWorker: true },
);

once(
  (fixture) => {
    test('the site says that it is stored, with the size of what is stored', async () => {
      await firstVisit(fixture);
      const listed = fs.readFileSync(`${siteDir}/sw.js`, 'utf8');
      const bytes = fs
        .readdirSync(siteDir, { recursive: true, encoding: 'utf8' })
        .filter((name) => fs.statSync(`${siteDir}/${name}`).isFile())
        .filter((name) => listed.includes(`/${name.replace(/index\.html$/, '')}`) && !/^(sw\.js|_headers)$/.test(name))
        .reduce((sum, name) => sum + fs.statSync(`${siteDir}/${name}`).size, 0);
      const shown = /Ready for offline use \(([\d.]+)MB\)/.exec(await fixture.driver.text('footer'))?.[1];
      expect(Math.abs(Number(shown) - bytes / 2 ** 20)).toBeLessThan(0.06);
    });

    test('a new build is noticed while the worker serves: pages and data come from the network first', async () => {
      await firstVisit(fixture);
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.fault('/app-data.json', { status: 200, body: '{"build":"another"}' });
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await fixture.driver.text('main h1')).toBe('Privacy Policy');
    });
  },
  { serviceWorker: true },
);
