// Tests that are not a person's way through the page (those are tests/e2e, run by Playwright):
//   node     functions, without a browser            web/**/*.test.ts(x), scripts/**/*.test.mjs
//   site     what the build wrote, and how it behaves  tests/site
//   browser  modules inside Chromium and Firefox      *.browser.test.ts(x)
//   webkit   the same inside WebKitGTK
//   engines  whole scenarios in the three engines     tests/engines
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { availableEngines, type FoundEngine } from './tests/lib/engines.mjs';
import { RetryReporter } from './tests/lib/vitest-retries.mjs';
import { webkitgtk } from './tests/lib/vitest-webkit.ts';

const browserTests = ['{web,tests}/**/*.browser.test.{ts,tsx}'];
const found = availableEngines();
const webkit = found.some(({ engine }) => engine === 'webkit');

function instance({ engine, binary }: FoundEngine) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const launchOptions =
    engine === 'firefox' ? { channel: 'moz-firefox', executablePath: binary } : { executablePath: binary, args };
  return { browser: engine, provider: playwright({ launchOptions }) };
}

/** A browser that starts beside other work may take its time. */
const patience = { connectTimeout: 180_000 };
const shared = { enabled: true, headless: true, screenshotFailures: false, ui: false, ...patience } as const;

const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'node',
      environment: 'node',
      include: ['web/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
      exclude: browserTests,
    },
  },
  {
    extends: true,
    test: {
      name: 'site',
      environment: 'node',
      include: ['tests/site/**/*.test.ts'],
      // Each file has its own browsers and servers, and one waits while the other works.
      maxWorkers: 2,
      // Vitest asks it of projects that differ in `maxWorkers`.
      sequence: { groupOrder: 1 },
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // Whole browsers on a busy machine now and then lose a connection; what fails twice is broken.
      retry: 1,
    },
  },
  {
    extends: true,
    test: {
      name: 'engines',
      environment: 'node',
      include: ['tests/engines/**/*.test.ts'],
      exclude: browserTests,
      fileParallelism: false,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      retry: 1,
    },
  },
];
const instances = found.filter(({ engine }) => engine !== 'webkit').map(instance);
if (instances.length > 0) {
  const browser = { ...shared, provider: playwright(), instances };
  projects.push({ extends: true, test: { name: 'browser', include: browserTests, fileParallelism: false, browser } });
}
if (webkit) {
  // Two providers cannot share a project.
  const browser = { ...shared, provider: webkitgtk(), instances: [{ browser: 'webkit' as const }] };
  projects.push({ extends: true, test: { name: 'webkit', include: browserTests, fileParallelism: false, browser } });
}

export default defineConfig({
  plugins: [react()],
  // The golden table holds rows of the material beside the checkout.
  server: { fs: { allow: ['.', process.env['SHARED_DIR'] ?? '../shared'] } },
  // A package that is first met in the middle of a run makes the browser reload, and the runner is lost.
  optimizeDeps: {
    include: ['@floating-ui/react', 'react', 'react-dom', 'react-dom/client', 'react-intl', 'react/jsx-dev-runtime'],
  },
  test: { passWithNoTests: true, reporters: ['default', new RetryReporter()], projects },
});
