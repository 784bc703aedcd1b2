// A page in each engine, and a deployment for each test.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines, type EngineName, isWholeMatrix } from '../lib/engines.mjs';
import { type Site, startSite } from './site.ts';

/** What a test works with; both are there while it runs. */
export interface Fixture {
  readonly engine: EngineName;
  readonly driver: Driver;
  readonly site: Site;
}

export interface EngineOptions {
  /** The engines in which these tests can come out differently; all by default. */
  readonly engines?: EngineName[];
  readonly serviceWorker?: boolean;
  /** Another build than dist/site; called when a test begins. */
  readonly root?: () => string;
  /** The language of the browser; WebKitGTK takes that of the machine. */
  readonly locale?: string;
}

/**
 * Runs tests in each engine.
 * @param reason what can differ between engines; it is part of the tests' names
 */
export function inEngines(reason: string, body: (fixture: Fixture) => void, options: EngineOptions = {}): void {
  const { engines, serviceWorker = false, locale = 'en-US' } = options;
  const found = availableEngines(engines);
  if (found.length === 0) {
    describe.skipIf(true)('no engine on this machine', () => test('left out', () => undefined));
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
      // A page that is leaving by itself may get in the way of the first attempt.
      await fixture.driver.goto('about:blank').catch(() => fixture.driver.goto('about:blank'));
      await fixture.site.close();
    });
    body(fixture);
  });
}

/** Runs tests once, in Chromium, because engines do not differ in them. `npm test -- all` runs them in each engine. */
export function once(body: (fixture: Fixture) => void, options: EngineOptions = {}): void {
  inEngines('once', body, isWholeMatrix ? options : { ...options, engines: ['chromium'] });
}

let drawn: string | undefined;

/** Draws the picture, once for the files that a worker runs. */
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

/** A small PNG to work on. */
export function picture(): string {
  if (drawn === undefined) throw new Error('the picture is drawn before the first test');
  return drawn;
}
