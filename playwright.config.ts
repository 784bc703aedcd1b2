// The end-to-end scenarios, against dist/site on a server that behaves like a host. Each scenario runs once, in
// Chromium. Scenarios whose result can differ in Firefox or on a phone run there too and state the reason (`also` in
// tests/e2e/resizer.ts). The scenarios for WebKit are in tests/site and tests/engines. tests/lib/site-server.mjs sets
// the server's addresses.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConfig, devices, type Project } from 'playwright/test';
import { availableEngines, isWholeMatrix, launchOptions as optionsOf } from './tests/lib/engines.mjs';

const tagged = (tag: RegExp) => (isWholeMatrix ? {} : { grep: tag });

const projects = availableEngines(['chromium', 'firefox']).flatMap((found): Project[] => {
  const launchOptions = optionsOf(found);
  if (found.engine === 'firefox') {
    // Firefox reports no download of a blob: URL, so tests watch the folder.
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
  // Each worker starts one browser per project. Three workers, because each waits for about a third of its time.
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  // Twice the default, because compilers run at the same time.
  expect: { timeout: 10_000 },
  // Scenarios in real browsers can fail on a machine that compiles at the same time; scripts/retries.mjs counts the
  // tests that needed a retry and fails above three.
  retries: 2,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./tests/lib/playwright-retries.mjs']],
  use: {
    baseURL: process.env['SITE_URL'] ?? '',
    locale: 'en-US',
    screenshot: 'only-on-failure',
    // Only on a retry: recording every test takes a third of the processor time.
    trace: 'on-first-retry',
  },
});
