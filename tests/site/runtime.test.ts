// The runtime of the site in real engines, with a server that fails on request. The titles begin with the features of
// the site's plan.
import { describe, expect, test } from 'vitest';
import { type Fixture, inEngines, once, picture } from './in-engines.ts';
import { fullNavigation, isMarked, mark, open, openChecked, pause, until } from './site.ts';

const PRIVACY = 'footer a[href="/privacy-policy/"]';
const DATA = 'GET /page-data/privacy-policy/page-data.json';
const APP_DATA = 'GET /page-data/app-data.json';
const ANOTHER_BUILD = { status: 200, body: '{"build":"another"}' };

const heading = ({ driver }: Fixture) => driver.text('main h1');

/** Opens a page and checks that hydration changes nothing. */
async function expectHydration({ driver, site }: Fixture, url: string) {
  await open(driver, site.url + url);
  await pause(300);
  expect(await driver.eval(() => performance.getEntriesByName('site:not-as-rendered').length)).toBe(0);
  const origins = await driver.eval(() => [
    ...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin)),
  ]);
  expect(origins).toEqual([site.url]);
}

once((fixture) => {
  const here = () => fixture.driver.eval(() => location.pathname + location.search + location.hash);

  test.each(['/', '/zh-CN/', '/zh-TW/', '/privacy-policy/', '/404.html', '/500.html', '/no/such/page'])(
    'hydration: %s equals its HTML, without a request to another origin',
    (url) => expectHydration(fixture, url),
  );

  describe('route change', () => {
    test('is announced: "Navigated to …"', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('[data-announcer]', 'Navigated to Privacy Policy');
    });

    test('the site name links to the home page of the current locale', async () => {
      await open(fixture.driver, `${fixture.site.url}/zh-TW/`);
      expect(await fixture.driver.eval(() => document.querySelector('header a')?.getAttribute('href'))).toBe('/zh-TW/');
      await open(fixture.driver, `${fixture.site.url}/privacy-policy/`);
      await mark(fixture.driver);
      await fixture.driver.click('header a');
      await fixture.driver.waitForText('main h1', 'Resize Images Online');
      expect([await here(), await isMarked(fixture.driver)]).toEqual(['/en/', true]);
    });

    test('footer: current year, domain, Privacy Policy link', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      const text = await fixture.driver.text('footer');
      expect(text).toContain(`© ${new Date().getFullYear()} resize-images.example`);
      expect(await fixture.driver.text(PRIVACY)).toBe('Privacy Policy');
    });
  });

  describe('retries 3', () => {
    test('page data: 503 twice → 3 requests, and the page is shown', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.forget();
      fixture.site.fault('/privacy-policy/page-data.json', { status: 503 }, { status: 503 }, {});
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Privacy Policy');
      expect([fixture.site.count(DATA), await isMarked(fixture.driver)]).toEqual([3, true]);
    });

    test('page data: 503 always → exactly 4 requests, then a full navigation', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.forget();
      fixture.site.fault('/privacy-policy/page-data.json', { status: 503 });
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect([fixture.site.count(DATA), await heading(fixture)]).toEqual([4, 'Privacy Policy']);
      expect(fixture.site.count('GET /privacy-policy/')).toBe(1);
    });

    test('app data: 503 always → 4 requests, and the page is shown', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      await pause(300);
      fixture.site.forget();
      fixture.site.fault('/app-data.json', { status: 503 });
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Privacy Policy');
      expect([fixture.site.count(APP_DATA), await isMarked(fixture.driver)]).toEqual([4, true]);
    });
  });

  describe('fallbacks', () => {
    test.each([
      ['404', { status: 404 }],
      ['200 with HTML', { status: 200, body: '<!doctype html>' }],
    ])('page data %s, HEAD not 200 → 404 page without leaving', async (_, fault) => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      await pause(300);
      fixture.site.forget();
      fixture.site.fault('/privacy-policy/', { status: 404 });
      fixture.site.fault('/page-data/privacy-policy/', fault);
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Page not found');
      expect([await here(), await isMarked(fixture.driver)]).toEqual(['/privacy-policy/', true]);
      expect(fixture.site.count('HEAD /privacy-policy/')).toBe(1);
    });

    test('HEAD double-check: page data 404, HEAD 200 → full navigation', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.fault('/page-data/privacy-policy/', { status: 404 });
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await heading(fixture)).toBe('Privacy Policy');
    });

    test('page data 500 → 500 page without a retry; Reload loads the page', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.forget();
      fixture.site.fault('/page-data/privacy-policy/', { status: 500 });
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Something went wrong on our side');
      expect([fixture.site.count(DATA), await isMarked(fixture.driver)]).toEqual([1, true]);
      fixture.site.fault('/page-data/privacy-policy/');
      await fixture.driver.click('main button');
      await fullNavigation(fixture.driver);
      expect(await heading(fixture)).toBe('Privacy Policy');
    });

    test('static query data missing → full navigation', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.fault('/page-data/sq/', { status: 503 });
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await heading(fixture)).toBe('Privacy Policy');
    });

    test('unhandled chunk load failure → the last known path, once', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/?a=1`);
      await mark(fixture.driver);
      const fail = () => void Promise.reject(new TypeError('Failed to fetch dynamically imported module: x'));
      await fixture.driver.eval(fail);
      await fullNavigation(fixture.driver);
      expect(await here()).toBe('/en/?a=1');
      await mark(fixture.driver);
      await fixture.driver.eval(fail);
      await pause(500);
      expect(await isMarked(fixture.driver)).toBe(true);
    });
  });

  describe('build hash differs', () => {
    test('on navigation: full navigation to the target', async () => {
      await openChecked(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      fixture.site.fault('/app-data.json', ANOTHER_BUILD);
      await fixture.driver.click(PRIVACY);
      await fullNavigation(fixture.driver);
      expect(await heading(fixture)).toBe('Privacy Policy');
    });

    test('with images: the page is shown with the update notice, and the images stay', async () => {
      await openChecked(fixture.driver, `${fixture.site.url}/en/`);
      await fixture.driver.setFiles('input[type=file]', [picture()]);
      await fixture.driver.waitForText('main', 'a.png');
      await mark(fixture.driver);
      fixture.site.fault('/app-data.json', ANOTHER_BUILD);
      await fixture.driver.click(PRIVACY);
      await fixture.driver.waitForText('main h1', 'Privacy Policy');
      expect(await isMarked(fixture.driver)).toBe(true);
      expect(await fixture.driver.eval(() => document.body.textContent)).toContain('A new version is ready.');
      await fixture.driver.eval(() => history.back());
      await fixture.driver.waitForText('main', 'a.png');
    });
  });

  test('delayed-route notice after 1 s, hidden when the page is loaded', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/`);
    fixture.site.fault('/page-data/privacy-policy/', { delayMs: 2500 });
    await fixture.driver.click(PRIVACY);
    await pause(600);
    expect(
      await fixture.driver.eval(() =>
        [...document.querySelectorAll('[role=status]')].some((region) => region.textContent === 'Loading page…'),
      ),
    ).toBe(false);
    await fixture.driver.waitFor(
      () => [...document.querySelectorAll('[role=status]')].some((region) => region.textContent === 'Loading page…'),
      [],
      { timeoutMs: 1500 },
    );
    await fixture.driver.waitForText('main h1', 'Privacy Policy');
    await fixture.driver.waitFor(
      () => ![...document.querySelectorAll('[role=status]')].some((region) => region.textContent === 'Loading page…'),
      [],
    );
  });
});

inEngines('hydration, history, modules, observers and storage', (fixture) => {
  test('hydration: /en/ equals its HTML, without a request to another origin', () => expectHydration(fixture, '/en/'));

  test('a link loads data and chunk without leaving the document, and sets title and language', async () => {
    await openChecked(fixture.driver, `${fixture.site.url}/zh-CN/`);
    await mark(fixture.driver);
    fixture.site.forget();
    await fixture.driver.click(PRIVACY);
    await fixture.driver.waitForText('main h1', 'Privacy Policy');
    expect(await isMarked(fixture.driver)).toBe(true);
    expect(fixture.site.count(DATA)).toBe(1);
    expect(fixture.site.count(APP_DATA)).toBe(1);
    expect(fixture.site.count('GET /privacy-policy/')).toBe(0);
    expect(await fixture.driver.eval(() => [document.title, document.documentElement.lang])).toEqual([
      'Privacy Policy | resize-images.example',
      'en',
    ]);
  });

  test('going back restores the scroll position without a request', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/`);
    await fixture.driver.eval(() => window.scrollTo(0, 400));
    const y = await fixture.driver.eval(() => Math.round(window.scrollY));
    expect(y).toBeGreaterThan(100);
    await fixture.driver.eval(() => document.querySelector<HTMLElement>('footer a')?.click());
    await fixture.driver.waitForText('main h1', 'Privacy Policy');
    expect(await fixture.driver.eval(() => window.scrollY)).toBe(0);
    fixture.site.forget();
    await fixture.driver.eval(() => history.back());
    await fixture.driver.waitForText('main h1', 'Resize Images Online');
    await fixture.driver.waitFor((top: number) => Math.abs(window.scrollY - top) < 2, [y]);
    expect(fixture.site.requests().filter((request) => request.includes('page-data'))).toEqual([]);
  });

  test('a link to a fragment scrolls to its element and focuses it', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/#faq`);
    await fixture.driver.waitFor(
      () => Math.abs(document.getElementById('faq')?.getBoundingClientRect().top ?? 9999) < 200,
      [],
    );
    await fixture.driver.eval(() => {
      window.scrollTo(0, 0);
      document.querySelector<HTMLElement>('a[href="#main"]')?.click();
    });
    await fixture.driver.waitFor(() => document.activeElement?.id === 'main', []);
  });

  test('a chunk that cannot be loaded → full navigation, which succeeds', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/`);
    await mark(fixture.driver);
    fixture.site.fault('/assets/privacy-', { status: 503 }, {});
    await fixture.driver.click(PRIVACY);
    await fullNavigation(fixture.driver);
    expect(await heading(fixture)).toBe('Privacy Policy');
  });

  test('at start: reload once', async () => {
    fixture.site.fault('/app-data.json', ANOTHER_BUILD);
    // The reload may start before the first document has loaded.
    await fixture.driver.goto(`${fixture.site.url}/en/`).catch(() => undefined);
    await until(fixture.driver, () => sessionStorage.getItem('reloaded-for-build') !== null);
    await pause(1500);
    expect(fixture.site.count('GET /en/')).toBe(2);
    fixture.site.fault('/app-data.json');
    await open(fixture.driver, `${fixture.site.url}/en/`);
    await fixture.driver.waitFor(() => sessionStorage.getItem('reloaded-for-build') === null, []);
  });

  test('prefetch: a visible link is loaded after 3 s, an invisible one is not', async () => {
    await fixture.driver.resize(1000, 700);
    await open(fixture.driver, `${fixture.site.url}/en/`);
    fixture.site.forget();
    await pause(3600);
    expect(fixture.site.count(DATA)).toBe(0);
    await fixture.driver.eval(() => document.querySelector('footer')?.scrollIntoView());
    await pause(2000);
    expect(fixture.site.count(DATA)).toBe(0);
    await fixture.driver.waitFor(
      () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/privacy-')),
      [],
    );
    expect(fixture.site.count(DATA)).toBe(1);
    await mark(fixture.driver);
    fixture.site.forget();
    await fixture.driver.eval(() => document.querySelector<HTMLElement>('footer a')?.click());
    await fixture.driver.waitForText('main h1', 'Privacy Policy');
    expect(fixture.site.requests().filter((request) => request.includes('page-data'))).toEqual([APP_DATA]);
    await fixture.driver.resize(1280, 900);
  });

  test('images stay when another page or another language is shown', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/`);
    await fixture.driver.setFiles('input[type=file]', [picture()]);
    await fixture.driver.waitForText('main', 'a.png');
    await fixture.driver.click(PRIVACY);
    await fixture.driver.waitForText('main h1', 'Privacy Policy');
    await fixture.driver.eval(() => history.back());
    await fixture.driver.waitForText('main', 'a.png');
    await fixture.driver.click('header button[aria-haspopup=menu]');
    await fixture.driver.click('[role=menuitem][lang=zh-CN]');
    await fixture.driver.waitForText('main h1', '在线调整图片大小');
    expect(await fixture.driver.text('main')).toContain('a.png');
  });
});
