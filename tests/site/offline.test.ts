// The service worker in real engines: the site works offline after the first visit, updates do not break navigation,
// and files shared by other apps are not sent to the network.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moduleOf } from '../../scripts/modules.mjs';
import { type Fixture, inEngines, once, picture } from './in-engines.ts';
import { fullNavigation, isMarked, mark, open, openChecked, pause, siteDir } from './site.ts';

const PRIVACY = 'footer a[href="/privacy-policy/"]';

/** Opens the site and waits until all its files are stored. */
async function firstVisit({ driver, site }: Fixture) {
  await open(driver, `${site.url}/en/`);
  await driver.waitForText('footer', 'Ready for offline use');
}

inEngines(
  'service workers, caches and forms',
  (fixture) => {
    describe('everything works offline after the first visit', () => {
      test('pages: a reload, other pages, unknown pages', async () => {
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

      test('resizing: worker and WebAssembly are read from the cache, with the policy of the worker', async () => {
        await firstVisit(fixture);
        fixture.site.setOffline(true);
        await open(fixture.driver, `${fixture.site.url}/en/`);
        await fixture.driver.setFiles('input[type=file]', [picture()]);
        await fixture.driver.waitForText('main', 'Already smaller');
        // Types into the field: WebKit's driver clears a field without an `input` event.
        await fixture.driver.eval(() => {
          const width = document.querySelector<HTMLInputElement>('input[inputmode]');
          width?.focus();
          width?.select();
        });
        for (const digit of '60') await fixture.driver.press(digit);
        await fixture.driver.waitForText('main', '60 × 40');
        // The row shows its size a moment before the button is enabled.
        await fixture.driver.waitFor(() => {
          const buttons = [...document.querySelectorAll('button')];
          const button = buttons.find(({ textContent }) => textContent === 'Resize Images');
          const enabled = button !== undefined && !button.disabled && button.ariaDisabled !== 'true';
          if (enabled) button.click();
          return enabled;
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

    test('an update found → the next navigation is a full load and shows the page', async () => {
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

    test('files that another app shares stay on the device: the server receives no POST request', async () => {
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
    test('the footer shows that the site is stored, with the total size of the files', async () => {
      await firstVisit(fixture);
      const listed = fs.readFileSync(`${siteDir}/sw.js`, 'utf8');
      const bytes = fs
        .readdirSync(siteDir, { recursive: true, encoding: 'utf8' })
        .filter((name) => fs.statSync(`${siteDir}/${name}`).isFile())
        .filter((name) => listed.includes(`/${name.replace(/index\.html$/, '')}`) && !/^(sw\.js|_headers)$/.test(name))
        .filter((name) => (moduleOf(name)?.stored ?? 'first-visit') === 'first-visit')
        .reduce((sum, name) => sum + fs.statSync(`${siteDir}/${name}`).size, 0);
      const shown = /Ready for offline use \(([\d.]+)MB\)/.exec(await fixture.driver.text('footer'))?.[1];
      expect(Math.abs(Number(shown) - bytes / 2 ** 20)).toBeLessThan(0.06);
    });

    test('a new build is found with a service worker: pages and data come from the network first', async () => {
      await firstVisit(fixture);
      await openChecked(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.fault('/app-data.json', { status: 200, body: '{"build":"another"}' });
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await fixture.driver.text('main h1')).toBe('Privacy Policy');
    });
  },
  { serviceWorker: true },
);
