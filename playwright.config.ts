// The scenarios of a person on the page, against dist/site as a host serves it. Each runs once, in Chromium. Those that can
// come out differently in Firefox or on a phone say why (`also` in tests/e2e/resizer.ts) and run there too. WebKit's
// scenarios are in tests/site and tests/engines. tests/lib/site-server.mjs passes on the server's address.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConfig, devices, type Project } from 'playwright/test';
import { availableEngines, isWholeMatrix, launchOptions as optionsOf } from './tests/lib/engines.mjs';

const tagged = (tag: RegExp) => (isWholeMatrix ? {} : { grep: tag });

const projects = availableEngines(['chromium', 'firefox']).flatMap((found): Project[] => {
  const launchOptions = optionsOf(found);
  if (found.engine === 'firefox') {
    // Firefox reports no download of a blob: URL: tests look into the folder.
    const downloadsPath = fs.mkdtempSync(path.join(os.tmpdir(), 'firefox-downloads-'));
    const use = { browserName: 'firefox', launchOptions: { ...launchOptions, downloadsPath } } as const;
    return [{ name: 'firefox', ...tagged(/@firefox/), use }];
  }
  return [
    { name: 'chromium', use: { browserName: 'chromium', launchOptions } },
    { name: 'phone', ...tagged(/@phone/), use: { ...devices['Pixel 7'], browserName: 'chromium', launchOptions } },
  ];
});

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  globalSetup: './tests/lib/site-server.mjs',
  projects,
  // Each worker starts one browser per project. Three, because each waits about a third of its time.
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  // Twice the default: compilers run at the same time.
  expect: { timeout: 10_000 },
  // As in vitest.config.ts; scripts/retries.mjs counts.
  retries: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./tests/lib/playwright-retries.mjs']],
  use: {
    baseURL: process.env['SITE_URL'] ?? '',
    locale: 'en-US',
    screenshot: 'only-on-failure',
    // Recording every test takes a third of the processor time.
    trace: 'on-first-retry',
  },
});
