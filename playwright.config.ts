// A person's way through the page, in Chromium (also as a phone) and Firefox, against dist/site as a host would serve it.
// WebKit's scenarios are in tests/engines. The server's address comes from tests/lib/site-server.mjs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConfig, devices, type Project } from 'playwright/test';
import { availableEngines } from './tests/lib/engines.mjs';

const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const projects = availableEngines(['chromium', 'firefox']).flatMap(({ engine, binary }): Project[] => {
  if (engine === 'firefox') {
    // Firefox reports no download of a blob: URL: tests look into the folder.
    const downloadsPath = fs.mkdtempSync(path.join(os.tmpdir(), 'firefox-downloads-'));
    const launchOptions = { executablePath: binary, downloadsPath };
    return [{ name: 'firefox', use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions } }];
  }
  const launchOptions = { executablePath: binary, args };
  return [
    { name: 'chromium', use: { browserName: 'chromium', launchOptions } },
    { name: 'phone', use: { ...devices['Pixel 7'], browserName: 'chromium', launchOptions } },
  ];
});

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  globalSetup: './tests/lib/site-server.mjs',
  projects,
  // Each has its own browser and folders, and one waits while the other works.
  workers: 2,
  timeout: 60_000,
  // As in vitest.config.ts: what fails twice is broken.
  retries: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['./tests/lib/playwright-retries.mjs']],
  use: {
    baseURL: process.env['SITE_URL'] ?? '',
    locale: 'en-US',
    screenshot: 'only-on-failure',
    // Recording every test, to throw it away, took a third of the processor time.
    trace: 'on-first-retry',
  },
});
