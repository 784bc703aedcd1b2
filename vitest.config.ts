// All tests except the scenarios in tests/e2e, which Playwright runs:
//   node     functions, without a browser              web/**/*.test.ts(x), scripts/**/*.test.mjs
//   site     the built site, and its behaviour         tests/site
//   browser  modules in Chromium and Firefox           *.browser.test.ts(x)
//   webkit   the same in WebKitGTK
//   engines  dist/engine in the three engines          tests/engines
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { availableEngines, type FoundEngine, launchOptions } from './tests/lib/engines.mjs';
import { RetryReporter } from './tests/lib/vitest-retries.mjs';
import { webkitgtk } from './tests/lib/vitest-webkit.ts';

const browserTests = ['{web,tests}/**/*.browser.test.{ts,tsx}'];
const found = availableEngines();
const webkit = found.some(({ engine }) => engine === 'webkit');

function instance(engine: FoundEngine) {
  return {
    browser: engine.engine as 'chromium' | 'firefox',
    provider: playwright({ launchOptions: launchOptions(engine) }),
  };
}

// The golden table contains rows for the images of the corpus, which is outside the checkout.
const folders = { root: import.meta.dirname, shared: path.resolve(process.env['SHARED_DIR'] ?? '../shared') };

/**
 * Lets browsers keep modules for the time of a run. Vite makes them ask for each module again, and each worker of the
 * engine loads a dozen.
 */
const keptModules: Plugin = {
  name: 'kept-modules',
  configureServer({ middlewares }) {
    middlewares.use(({ url }, response, next) => {
      const setHeader = response.setHeader.bind(response);
      const isModule = url?.startsWith('/web/') || url?.startsWith('/node_modules/vite/');
      response.setHeader = (name, value) =>
        setHeader(name, isModule && name === 'Cache-Control' && value === 'no-cache' ? 'max-age=3600' : value);
      next();
    });
  },
};

/** The timeout for starting a browser on a busy machine. */
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
      isolate: false,
      setupFiles: ['tests/lib/fresh-modules.mjs'],
    },
  },
  {
    extends: true,
    test: {
      name: 'site',
      environment: 'node',
      include: ['tests/site/**/*.test.ts'],
      // Three workers, because each waits for about a third of its time. The files of a worker share browsers
      // (tests/lib/browsers.mjs).
      maxWorkers: 3,
      isolate: false,
      // Vitest requires this for projects with different `maxWorkers`.
      sequence: { groupOrder: 1 },
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // A browser on a busy machine can lose a connection. scripts/retries.mjs counts retries and fails above three.
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
  // Two browser providers need two projects.
  const browser = { ...shared, provider: webkitgtk(), instances: [{ browser: 'webkit' as const }] };
  projects.push({ extends: true, test: { name: 'webkit', include: browserTests, fileParallelism: false, browser } });
}

export default defineConfig({
  plugins: [react(), ...(process.argv.includes('run') ? [keptModules] : [])],
  server: { fs: { allow: ['.', folders.shared] } },
  // If Vite finds a package during a run, the browser reloads and the test runner stops; so all are listed here.
  optimizeDeps: {
    include: ['@floating-ui/react', 'react', 'react-dom', 'react-dom/client', 'react-intl', 'react/jsx-dev-runtime'],
  },
  test: { passWithNoTests: true, provide: { folders }, reporters: ['default', new RetryReporter()], projects },
});
