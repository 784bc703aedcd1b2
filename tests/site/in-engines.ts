// A browser for each engine and a deployment for each test.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { type Driver, launch } from '../lib/browsers.mjs';
import { availableEngines, type EngineName } from '../lib/engines.mjs';
import { type Site, startSite } from './site.ts';

/** What a test works with; both are there while it runs. */
export interface Bench {
  readonly engine: EngineName;
  readonly driver: Driver;
  readonly site: Site;
}

export interface BenchOptions {
  readonly engines?: EngineName[];
  readonly serviceWorker?: boolean;
  /** Another build than dist/site; asked when a test begins. */
  readonly root?: () => string;
  /** The language of the browser; WebKitGTK takes that of the machine. */
  readonly locale?: string;
}

export function inEngines(body: (bench: Bench) => void, options: BenchOptions = {}): void {
  const { engines, serviceWorker = false, locale = 'en-US' } = options;
  const found = availableEngines(engines);
  if (found.length === 0) {
    describe.skipIf(true)('no engine on this machine', () => test('left out', () => undefined));
    return;
  }
  describe.each(found)('$engine', ({ engine }) => {
    const bench = { engine } as { -readonly [K in keyof Bench]: Bench[K] };
    beforeAll(async () => {
      bench.driver = await launch(engine, engine === 'webkit' ? {} : { context: { locale } });
    });
    afterAll(() => bench.driver?.close());
    beforeEach(async () => {
      bench.site = await startSite({ serviceWorker, ...(options.root === undefined ? {} : { root: options.root() }) });
    });
    afterEach(async () => {
      // A page that is leaving by itself may get in the way of the first attempt.
      await bench.driver.goto('about:blank').catch(() => bench.driver.goto('about:blank'));
      await bench.site.close();
    });
    body(bench);
  });
}

let drawn: string | undefined;

/** A small PNG to work on. */
export function picture(): string {
  if (drawn === undefined) throw new Error('the picture is drawn before the first test');
  return drawn;
}

let folder: string;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
  drawn = path.join(folder, 'a.png');
  await sharp({ create: { width: 600, height: 400, channels: 3, background: '#386' } })
    .png()
    .toFile(drawn);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
