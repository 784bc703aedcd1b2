// How the page is bundled, for `npm run dev` and for scripts/build-site.mjs.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import wasm from 'vite-plugin-wasm';
import { workerFolder } from './scripts/headers.mjs';

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  plugins: [react(), wasm()],
  build: {
    outDir: path.join(import.meta.dirname, 'dist/site'),
    emptyOutDir: true,
    // Everything is a file: a data: URL would need its own permission in the policy, and cannot be compiled while it streams.
    assetsInlineLimit: 0,
    // Preloads that the bundler injects break a page for good in WebKit when one fails: the failure is replayed from its
    // memory cache after a full navigation. The pages name their preloads themselves.
    modulePreload: false,
  },
  worker: {
    format: 'es',
    // One self-contained file in a folder of its own: it is served with a policy that forbids it every request.
    rolldownOptions: { output: { entryFileNames: `${workerFolder}/[name]-[hash].js`, codeSplitting: false } },
  },
  // The dev server must find the project's locales and the core beside web/.
  server: { fs: { allow: [import.meta.dirname] } },
});
