// @ts-check
// The import rules of web/: each rule of the architecture that an import can break, with its reason. The linter's own
// import rule checks only the text between the quotes; this script resolves the file.
import fs from 'node:fs';
import path from 'node:path';
import { isMain } from './main.mjs';
import { root } from './toolchain.mjs';

/** The files that contain addresses of workers. */
const addressFiles = new Set(['engine/page/assets.ts', 'engine/page/heic-built-in.ts', 'engine/page/heic-device.ts']);

/** @typedef {{ from: string, to: string }} Import `to`: a path below web/, or the name of a package */
/** @typedef {{ breaks: (link: Import) => boolean, reason: string }} Rule */

/** @param {string} place @param {string} folder */
const inside = (place, folder) => place.startsWith(`${folder}/`);
/**
 * Returns the feature of a file: app/queue/row/Row.tsx → queue. State is no feature, because all features use it.
 * @param {string} place
 */
const feature = (place) => /^app\/(?!state\/)([^/]+)\//.exec(place)?.[1];

const ENGINE_ENTRIES = ['engine/index.ts', 'engine/lazy.ts'];
/** What the build of a wasm module writes. */
const GENERATED = /^engine\/([\w-]+)\/\1(_bg\.wasm)?\.d\.ts$/;
const CORE_USERS = ['engine/worker/worker.ts', 'engine/worker/encoder.ts', 'engine/shared/core-types.ts'];
/** The users of the glue of encoders. */
const WEBP_USERS = ['engine/shared/libwebp.ts'];
const AVIF_ENCODER_USERS = ['engine/shared/libavif.ts'];
const JXL_ENCODER_USERS = ['engine/shared/libjxl.ts'];
const STATE_MAY_IMPORT = [
  'app/state/',
  'app/save/index.ts',
  'domain/',
  'engine/index.ts',
  'engine/lazy.ts',
  'i18n/messages.ts',
];

/** @type {Rule[]} */
const rules = [
  {
    breaks: ({ from, to }) => inside(from, 'domain') && !inside(to, 'domain'),
    reason: 'domain imports nothing else, so that it runs in every environment',
  },
  {
    breaks: ({ from, to }) =>
      inside(from, 'engine') &&
      !inside(to, 'engine') &&
      !inside(to, 'domain') &&
      !(inside(from, 'engine/node') && to.startsWith('node:')),
    reason: 'engine imports only domain, because it is also a package of its own (dist/engine)',
  },
  {
    breaks: ({ from, to }) => {
      const module = /^engine\/([\w-]+)\/\1\.js$/.exec(to)?.[1];
      if (module === undefined || inside(from, 'engine/testing') || inside(from, 'engine/node')) return false;
      /** @type {Readonly<Record<string, string[]>>} */
      const own = {
        core: CORE_USERS,
        webp: WEBP_USERS,
        'avif-encoder': AVIF_ENCODER_USERS,
        'jxl-encoder': JXL_ENCODER_USERS,
      };
      const users = own[module] ?? [`engine/worker/${module}.worker.ts`];
      return !users.includes(from);
    },
    reason:
      'only the worker of a module imports its glue; the glue of the core also Node and engine/shared/core-types.ts',
  },
  {
    breaks: ({ from, to }) =>
      (inside(from, 'engine/page') && inside(to, 'engine/worker') && !addressFiles.has(from)) ||
      (inside(from, 'engine/worker') && inside(to, 'engine/page')) ||
      (inside(from, 'engine/shared') && (inside(to, 'engine/page') || inside(to, 'engine/worker'))),
    reason: 'page and worker share only engine/shared; the page uses only the address of the worker',
  },
  {
    breaks: ({ from, to }) => /\/testing\//.test(to) && !/\/testing\//.test(from),
    reason: 'only tests import from a testing folder',
  },
  {
    breaks: ({ from, to }) => inside(from, 'app') && inside(to, 'engine') && !ENGINE_ENTRIES.includes(to),
    reason: 'the app imports the engine only from engine/index.ts, and loads it through engine/lazy.ts',
  },
  {
    breaks: ({ from, to }) => inside(from, 'app/state') && !STATE_MAY_IMPORT.some((place) => to.startsWith(place)),
    reason: 'state has no React, no components and no CSS',
  },
  {
    breaks: ({ from, to }) =>
      feature(to) !== undefined && feature(from) !== feature(to) && !to.startsWith(`app/${feature(to)}/index.`),
    reason: 'a feature is imported only from its index.ts',
  },
  {
    breaks: ({ from, to }) => inside(to, 'site') && !inside(from, 'site'),
    reason: 'no other folder imports site, which combines the others',
  },
];

/**
 * @param {string} source
 * @returns {string[]} the imported names, as written
 */
function specifiers(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])(?<name>[^'"\n]+)\1/g);
  return [...found].map(({ groups }) => groups?.['name'] ?? '');
}

/**
 * @param {string} from a file below web/, with forward slashes
 * @param {string} source its text
 * @returns {string[]} a message for each broken rule
 */
export function brokenRules(from, source) {
  return specifiers(source).flatMap((name) => {
    const plain = name.replace(/\?.*$/, '');
    const to = plain.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(from), plain)) : plain;
    return rules
      .filter((rule) => rule.breaks({ from, to }))
      .map((rule) => `web/${from} imports ${name}: ${rule.reason}`);
  });
}

/** @returns {string[]} source files below web/ that are not tests and not generated */
function sources() {
  return fs
    .readdirSync(path.join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !GENERATED.test(file));
}

if (isMain(import.meta)) {
  const files = sources();
  const broken = files.flatMap((file) => brokenRules(file, fs.readFileSync(path.join(root, 'web', file), 'utf8')));
  for (const line of broken) console.error(line);
  console.log(`imports: ${files.length} files, ${broken.length} broken rules`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
