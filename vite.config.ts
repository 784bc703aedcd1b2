// How the page is bundled, for `npm run dev` and for scripts/build-site.mjs.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import wasm from 'vite-plugin-wasm';
import { workerFolder } from './scripts/headers.mjs';

const sheets = new Map<string, string>();

/** `row.module.css`, `.title` → `row-title`: shorter than a hash once compressed, and somebody who inspects can read it. */
function className(name: string, file: string): string {
  const sheet = path.basename(file.replace(/[?].*$/, ''), '.module.css');
  const known = sheets.get(sheet);
  if (known !== undefined && known !== file) throw new Error(`two style sheets are called ${sheet}: ${known}, ${file}`);
  sheets.set(sheet, file);
  return `${sheet}-${name}`;
}

/** Vite's wrapper of `import()` preloads what a chunk imports and its style sheet; here it has neither to do, and weighs 0.8 kB. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** Lets the bundler drop the components of react-intl, of which only `createIntl` is used: names for developer tools and calls that are not marked as pure keep all of them. */
const onlyCreateIntl: Plugin = {
  name: 'only-create-intl',
  transform: (code, id) =>
    id.endsWith('/react-intl/index.js')
      ? code
          .replace(/^\w+\.displayName = .*$/gm, '')
          .replace(/= (React\.(?:memo|createContext)|createFormatted\w+)\(/g, '= /* @__PURE__ */ $1(')
      : undefined,
};

/** Begins every style sheet with the order of the layers: the first mention decides, and the bundler chooses which sheet is first. */
const layerOrder: Plugin = {
  name: 'layer-order',
  enforce: 'pre',
  transform: (code, id) => (/\.css($|\?)/.test(id) ? `@layer tokens, base, components;\n${code}` : undefined),
};

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  plugins: [plainImports, onlyCreateIntl, layerOrder, react(), wasm()],
  css: { modules: { generateScopedName: className } },
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
