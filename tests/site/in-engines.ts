// Runs tests on a page in each engine, with a deployment for each test.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines, type EngineName, isWholeMatrix } from '../lib/engines.mjs';
import { type Site, startSite } from './site.ts';

/** The page and the deployment of a test; both are set while the test runs. */
export interface Fixture {
  readonly engine: EngineName;
  readonly driver: Driver;
  readonly site: Site;
}

export interface EngineOptions {
  /** The engines in which these tests can have different results; all by default. */
  readonly engines?: EngineName[];
  readonly serviceWorker?: boolean;
  /** The folder of another build than dist/site; called when a test starts. */
  readonly root?: () => string;
  /** The language of the browser. WebKitGTK uses the language of the machine. */
  readonly locale?: string;
}

/**
 * Runs tests in each engine.
 * @param reason the features that can differ between engines; part of the tests' names
 */
export function inEngines(reason: string, body: (fixture: Fixture) => void, options: EngineOptions = {}): void {
  const { engines, serviceWorker = false, locale = 'en-US' } = options;
  const found = availableEngines(engines);
  if (found.length === 0) {
    describe.skipIf(true)('no engine on this machine', () => test('skipped', () => undefined));
    return;
  }
  describe.each(found)(`$engine, ${reason}`, ({ engine }) => {
    const fixture = { engine } as { -readonly [K in keyof Fixture]: Fixture[K] };
    beforeAll(async () => {
      await draw();
      fixture.driver = await launch(engine, engine === 'webkit' ? {} : { context: { locale } });
    });
    afterAll(() => fixture.driver?.close());
    beforeEach(async () => {
      fixture.site = await startSite({
        serviceWorker,
        ...(options.root === undefined ? {} : { root: options.root() }),
      });
    });
    afterEach(async () => {
      // A navigation that the page has started may interrupt the first attempt.
      await fixture.driver.goto('about:blank').catch(() => fixture.driver.goto('about:blank'));
      await fixture.site.close();
    });
    body(fixture);
  });
}

/**
 * Runs tests once, in Chromium, because the result does not depend on the engine. `npm test -- all` uses all engines.
 */
export function once(body: (fixture: Fixture) => void, options: EngineOptions = {}): void {
  inEngines('once', body, isWholeMatrix ? options : { ...options, engines: ['chromium'] });
}

let drawn: string | undefined;

/** Writes the picture, once per Vitest worker. */
async function draw(): Promise<void> {
  if (drawn !== undefined) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'a.png');
  await sharp({ create: { width: 600, height: 400, channels: 3, background: '#386' } })
    .png()
    .toFile(file);
  drawn = file;
}

/** Returns the path of a small PNG. */
export function picture(): string {
  if (drawn === undefined) throw new Error('the picture exists only while tests run');
  return drawn;
}
