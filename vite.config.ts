// The Vite configuration for `npm run dev` and scripts/build-site.mjs.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import wasm from 'vite-plugin-wasm';
import { workerFolder } from './scripts/headers.mjs';
import { laterMessages, messageLocales } from './scripts/messages.mjs';

const sheets = new Map<string, string>();

/**
 * Names classes: `.title` in `row.module.css` → `row-title`, which compresses better than a hash and is readable in
 * developer tools.
 */
function className(name: string, file: string): string {
  const sheet = path.basename(file.replace(/[?].*$/, ''), '.module.css');
  const known = sheets.get(sheet);
  if (known !== undefined && known !== file) throw new Error(`two style sheets are called ${sheet}: ${known}, ${file}`);
  sheets.set(sheet, file);
  return `${sheet}-${name}`;
}

/**
 * Removes Vite's wrapper of `import()` (0.8 kB): it preloads imports and style sheets of chunks, which do not exist
 * here.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : undefined),
};

/**
 * Lets the bundler drop the components of react-intl, of which only `createIntl` is used. Display names and calls that
 * are not marked as pure would keep them.
 */
const onlyCreateIntl: Plugin = {
  name: 'only-create-intl',
  transform: (code, id) =>
    id.endsWith('/react-intl/index.js')
      ? code
          .replace(/^\w+\.displayName = .*$/gm, '')
          .replace(/= (React\.(?:memo|createContext)|createFormatted\w+)\(/g, '= /* @__PURE__ */ $1(')
      : undefined,
};

/**
 * Lets messages be formatted without asking which languages the browser supports: for the answer, Chromium reads the
 * data of all languages, which takes 14 ms in each visit. Every browser that can run the page knows its languages.
 */
const knownLanguages: Plugin = {
  name: 'known-languages',
  transform: (code, id) =>
    /\/(@formatjs\/intl|intl-messageformat)\/index\.js$/.test(id)
      ? code.replace(/Intl\.\w+Format\.supportedLocalesOf\(([\w.]+)\)/g, '[$1].flat()')
      : undefined,
};

/**
 * Puts the order of the layers at the start of every style sheet: the first mention decides, and the order of the
 * sheets is the bundler's.
 */
const layerOrder: Plugin = {
  name: 'layer-order',
  enforce: 'pre',
  transform: (code, id) => (/\.css($|\?)/.test(id) ? `@layer tokens, base, components;\n${code}` : undefined),
};

/** Makes the module with the messages that the first load does not need. */
const laterMessagesModule: Plugin = {
  name: 'later-messages',
  resolveId: (id) => (id === 'virtual:later-messages' ? `\0${id}` : undefined),
  load: (id) => {
    if (id !== '\0virtual:later-messages') return undefined;
    const messages = Object.fromEntries(messageLocales().map((name) => [name, laterMessages(name)]));
    return `export const LATER_MESSAGES = ${JSON.stringify(messages)}`;
  },
};

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  plugins: [plainImports, onlyCreateIntl, knownLanguages, layerOrder, laterMessagesModule, react(), wasm()],
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: path.join(import.meta.dirname, 'dist/site'),
    emptyOutDir: true,
    // Assets stay files: a data: URL would need its own permission in the policy and cannot be compiled while it
    // streams.
    assetsInlineLimit: 0,
    // No injected preloads: if one fails in WebKit, the page stays broken, because a full navigation repeats the
    // failure from the memory cache. The pages list their preloads themselves.
    modulePreload: false,
  },
  worker: {
    format: 'es',
    // One self-contained file in a folder of its own, which is served with a policy that forbids every request.
    rolldownOptions: { output: { entryFileNames: `${workerFolder}/[name]-[hash].js`, codeSplitting: false } },
  },
  // The dev server must find locales/ and the core, which are outside its root.
  server: { fs: { allow: [import.meta.dirname] } },
});
