// Wasm modules that the service worker stores later than with the first visit, in real engines. The service worker is the
// real one; its list of files is made here, with a pretend module.
import path from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/toolchain.mjs';
import { type Fixture, inEngines, once } from './in-engines.ts';
import { open, pause, until } from './site.ts';

const READY = 'Ready for offline use';
const SIZE = 1000;
const FILES = ['/en/', '/404.html', '/privacy-policy/'].map((url) => [url, SIZE] as const);

/** The script of a service worker whose build has a pretend module. */
async function serviceWorker(id: string, stored: 'idle' | 'when-used'): Promise<string> {
  const modules = [
    { name: 'pretend', uses: [{ format: 'PRETEND', use: 'save' }], stored, files: [[addressIn(id), SIZE]] },
  ];
  const written = await build({
    configFile: false,
    logLevel: 'warn',
    define: { __BUILD__: JSON.stringify({ id, base: '', files: FILES, modules }) },
    build: { write: false, rolldownOptions: { input: path.join(root, 'web/site/service-worker.ts') } },
  });
  const [result] = [written].flat();
  const chunk = result !== undefined && 'output' in result ? result.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('the bundler wrote no script');
  return chunk.code;
}

/** The address of the module's file in a build. */
const addressIn = (id: string) => `/assets/pretend-${id}.wasm`;

let scripts: Readonly<Record<'one' | 'two' | 'idle', string>>;
beforeAll(async () => {
  const [one, two, idle] = await Promise.all([
    serviceWorker('one', 'when-used'),
    serviceWorker('two', 'when-used'),
    serviceWorker('idle', 'idle'),
  ]);
  scripts = { one, two, idle };
});

function deploy({ site }: Fixture, name: keyof typeof scripts): void {
  site.fault('/sw.js', { status: 200, body: scripts[name] });
  site.fault(addressIn(name), { status: 200, body: `module of build ${name}` });
}

/** Loads the module's file as a page does that needs it. */
function use({ driver }: Fixture, id: string): Promise<string> {
  return driver.eval((url: string) => fetch(url).then((response) => response.text()), addressIn(id));
}

const isStored = ({ driver }: Fixture, id: string) =>
  driver.eval((url: string) => caches.match(url).then((found) => found !== undefined), addressIn(id));

/** Waits until the footer has the text with or without the pretend module. */
function footer({ driver }: Fixture, without: boolean): Promise<void> {
  const condition = (ready: string, excepted: boolean) => {
    const text = document.querySelector('footer')?.textContent ?? '';
    return text.includes(ready) && text.includes('except saving as PRETEND') === excepted;
  };
  return until(driver, condition, READY, without);
}

inEngines(
  'service workers and caches',
  (fixture) => {
    test('a module is stored when it is first used, and the page says so', async () => {
      const { driver, site } = fixture;
      deploy(fixture, 'one');
      await open(driver, `${site.url}/en/`);
      await footer(fixture, true);
      expect(site.count(`GET ${addressIn('one')}`)).toBe(0);
      await open(driver, `${site.url}/en/`);
      await use(fixture, 'one');
      await footer(fixture, false);
      site.setOffline(true);
      await open(driver, `${site.url}/en/`);
      expect(await use(fixture, 'one')).toBe('module of build one');
      await footer(fixture, false);
    });

    test('a module that is used before the service worker runs is stored, too', async () => {
      const { driver, site } = fixture;
      deploy(fixture, 'one');
      await open(driver, `${site.url}/en/`);
      await use(fixture, 'one');
      await footer(fixture, false);
      expect(await isStored(fixture, 'one')).toBe(true);
    });

    test('a module that waits for an idle page is stored without being used', async () => {
      deploy(fixture, 'idle');
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await footer(fixture, false);
      expect(await isStored(fixture, 'idle')).toBe(true);
    });

    test('an update stores the new version of a module that was stored', async () => {
      const { driver, site } = fixture;
      deploy(fixture, 'one');
      await open(driver, `${site.url}/en/`);
      await footer(fixture, true);
      await use(fixture, 'one');
      await footer(fixture, false);
      deploy(fixture, 'two');
      await open(driver, `${site.url}/en/`);
      await driver.waitFor(
        () => navigator.serviceWorker.getRegistration().then((found) => (found?.waiting ?? null) !== null),
        [],
      );
      await pause(300);
      expect(await isStored(fixture, 'two')).toBe(true);
    });
  },
  { serviceWorker: true },
);

once(
  (fixture) => {
    test('a module that is requested before the service worker runs, and arrives later, is stored', async () => {
      const { driver, site } = fixture;
      deploy(fixture, 'one');
      const body = 'module of build one';
      site.fault(addressIn('one'), { status: 200, body, delayMs: 3000 }, { status: 200, body });
      await driver.goto(`${site.url}/en/`);
      await use(fixture, 'one');
      await footer(fixture, false);
      expect(await isStored(fixture, 'one')).toBe(true);
    });
  },
  { serviceWorker: true },
);
