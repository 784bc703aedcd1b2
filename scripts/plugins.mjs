// @ts-check
// The bundler's plugins for the site: another configuration, another module for HEIC, React DOM as an ES module.
import path from 'node:path';
import { root } from './toolchain.mjs';

/** @typedef {import('vite').Plugin} Plugin */

/**
 * Makes `config` replace web/site/config.ts.
 * @param {string | undefined} config
 * @returns {Plugin}
 */
export function withConfig(config) {
  const usualConfig = path.join(root, 'web/site/config.ts');
  return {
    name: 'site-config',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (config === undefined || importer === config || !source.endsWith('/config.ts')) return;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id === usualConfig ? config : found;
    },
  };
}

/**
 * Puts the module for HEIC without a decoder in the place of the one with it.
 * @returns {Plugin}
 */
export function withoutHevc() {
  return {
    name: 'without-hevc',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith('/heic-built-in.ts') || importer === undefined) return;
      return path.join(path.dirname(importer), 'heic-device.ts');
    },
  };
}

/**
 * Makes an ES module of React DOM. The bundler would wrap its CommonJS module in a function, which Chromium parses twice
 * while developer tools or Lighthouse are attached: the module creates errors, whose stack traces are then complete.
 * @returns {Plugin}
 */
export function reactDomAsModule() {
  const file = path.join(root, 'node_modules/react-dom/cjs/react-dom-client.production.js');
  return {
    name: 'react-dom-as-module',
    enforce: 'pre',
    resolveId: (source) => (source === 'react-dom/client' ? file : undefined),
    transform(code, id) {
      if (id !== file) return;
      const module = code
        .replace(/(?:^var|^ ) (\w+) = require\("([\w-]+)"\)[,;]/gm, 'import $1 from "$2";')
        .replace(/^exports\.(\w+) = /gm, 'export const $1 = ');
      if (/\brequire\(|^exports\b/m.test(module)) throw new Error('React DOM has another form than expected');
      return module;
    },
  };
}
