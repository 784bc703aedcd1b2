// @ts-check
// The table of headers that every host of the site must send. scripts/build-site.mjs writes it to dist/site as
// `_headers` (the syntax of Netlify and Cloudflare Pages), and scripts/serve.mjs reads that file, so tests use the
// deployed headers. If two rules match, the browser receives both values of a header, joined by a comma. For
// Content-Security-Policy this means that both policies apply; no other header may be set by overlapping rules.
// dist/hosting has the same table for nginx and Apache.

/** @typedef {{ path: string, headers: Record<string, string> }} HeaderRule */
/** @typedef {{ scripts: string[], styles: string[] }} Inline `'sha256-…'` of each inline script and style sheet */

/**
 * @param {Record<string, string[]>} directives
 * @returns {string}
 */
function policy(directives) {
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}

/**
 * The policy of pages and of all files without a stricter one. It is sent as headers, not only as <meta>, because a
 * worker takes its policy from its own response only: one response without a policy would be unprotected.
 * @param {Inline} inline
 * @param {'header' | 'meta'} [delivery] 'meta', for hosts that cannot send headers, cannot set frame-ancestors
 * @returns {string}
 */
export function pagePolicy({ scripts, styles }, delivery = 'header') {
  return policy({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...scripts],
    // No `'self'`, because the only style sheet is part of the page. During development style sheets are files.
    'style-src': styles.length === 0 ? ["'self'"] : styles,
    'img-src': ["'self'", 'blob:', 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    ...(delivery === 'header' ? { 'frame-ancestors': ["'none'"] } : {}),
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['app-url'],
  });
}

// The policy of the workers that read the images: they can compile WebAssembly and send no request, not even to this
// site.
export const workerPolicy = policy({
  'default-src': ["'none'"],
  'script-src': ["'wasm-unsafe-eval'"],
  'connect-src': ["'none'"],
  'worker-src': ["'none'"],
});

// Browser features that the site does not use. The features that it uses (clipboard, share, wake lock) are not listed.
const unusedCapabilities = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

/** @type {Inline} */
export const nothingInline = { scripts: [], styles: [] };

/** The folder of the engine's workers in the build of the site; it contains nothing else. */
export const workerFolder = 'assets/worker';

// The files besides the pages that may change with the next deployment: browsers must revalidate them each time.
const revalidated = ['/page-data/*', '/sw.js', '/manifest/*'];

/**
 * @param {{ inline?: Inline, pages?: string[], basePath?: string }} [site]
 *   `pages`: the path of every HTML document, such as `/en/`
 * @returns {HeaderRule[]}
 */
export function headerRules({ inline = nothingInline, pages = ['/'], basePath = '' } = {}) {
  const rules = siteRules(inline, pages);
  return rules.map(({ path, headers }) => ({ path: basePath + path, headers }));
}

/**
 * @param {Inline} inline
 * @param {string[]} pages
 * @returns {HeaderRule[]}
 */
function siteRules(inline, pages) {
  return [
    {
      path: '/*',
      headers: {
        'Content-Security-Policy': pagePolicy(inline),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Permissions-Policy': unusedCapabilities.map((name) => `${name}=()`).join(', '),
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      },
    },
    { path: `/${workerFolder}/*`, headers: { 'Content-Security-Policy': workerPolicy } },
    // Names under /assets/ contain a hash of the content.
    { path: '/assets/*', headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } },
    ...[...pages, ...revalidated].map((path) => ({
      path,
      headers: { 'Cache-Control': 'public, max-age=0, must-revalidate' },
    })),
  ];
}

/**
 * @param {HeaderRule[]} rules
 * @returns {string} the text of a `_headers` file
 */
export function formatHeaders(rules) {
  return rules
    .flatMap(({ path, headers }) => [
      path,
      ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
      '',
    ])
    .join('\n');
}

/** @param {string} pattern @returns {string} the pattern as a regular expression, for other servers */
function asRegex(pattern) {
  return matcher(pattern).source.replaceAll('\\/', '/');
}

/**
 * Groups the rules by header and value, with all their paths.
 * @param {HeaderRule[]} rules
 * @returns {{ name: string, value: string, paths: string[] }[]}
 */
function byValue(rules) {
  /** @type {Map<string, { name: string, value: string, paths: string[] }>} */
  const found = new Map();
  for (const { path, headers } of rules) {
    for (const [name, value] of Object.entries(headers)) {
      const entry = found.get(`${name}: ${value}`) ?? { name, value, paths: [] };
      entry.paths.push(asRegex(path));
      found.set(`${name}: ${value}`, entry);
    }
  }
  return [...found.values()];
}

/**
 * @param {HeaderRule[]} rules
 * @returns {string} the configuration for nginx: the maps for `http`, the rest for `server`
 */
export function formatNginx(rules) {
  const headers = byValue(rules);
  const maps = headers.flatMap(({ value, paths }, index) => [
    `map $site_path $site_header_${index} {`,
    ...paths.map((pattern) => `  "~${pattern}" "${value}";`),
    '  default "";',
    '}',
  ]);
  const server = [
    // nginx does not send a header with an empty value.
    ...headers.map(({ name }, index) => `add_header ${name} $site_header_${index} always;`),
    'error_page 404 /404.html;',
    'location / {',
    '  try_files $uri $uri/index.html =404;',
    '}',
  ];
  // The requested path, because $uri is /en/index.html when the answer is sent.
  const asked = ['map $request_uri $site_path {', '  "~^(?<asked>[^?]*)" $asked;', '}'];
  return ['# In http {}', ...asked, ...maps, '', '# In server {}', ...server, ''].join('\n');
}

/**
 * @param {HeaderRule[]} rules
 * @returns {string} for Apache 2.4 with mod_headers, in the site's configuration or .htaccess
 */
export function formatApache(rules) {
  const lines = byValue(rules).flatMap(({ name, value, paths }) => [
    `<If "%{REQUEST_URI} =~ m#${paths.join('|')}#">`,
    // `add`, not `set`, so that two policies of one path both apply.
    `  Header always add ${name} "${value}"`,
    '</If>',
  ]);
  return [...lines, 'ErrorDocument 404 /404.html', ''].join('\n');
}

/**
 * @param {string} text of a `_headers` file
 * @returns {HeaderRule[]}
 */
export function parseHeaders(text) {
  /** @type {HeaderRule[]} */
  const rules = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ path: line.trim(), headers: {} });
      continue;
    }
    const colon = line.indexOf(':');
    const rule = rules.at(-1);
    if (colon < 0 || rule === undefined) throw new Error(`_headers: cannot read the line "${line}"`);
    rule.headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return rules;
}

/**
 * @param {string} pattern `*` stands for anything, `:name` for one segment
 * @returns {RegExp}
 */
function matcher(pattern) {
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

/**
 * @param {HeaderRule[]} rules
 * @returns {(pathname: string) => Map<string, string>} the lower-case names and the values of a response's headers
 */
export function headerLookup(rules) {
  const compiled = rules.map(({ path, headers }) => ({ matches: matcher(path), headers: Object.entries(headers) }));
  return (pathname) => {
    /** @type {Map<string, string>} */
    const result = new Map();
    for (const { matches, headers } of compiled) {
      if (!matches.test(pathname)) continue;
      for (const [name, value] of headers) {
        const key = name.toLowerCase();
        const earlier = result.get(key);
        result.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
      }
    }
    return result;
  };
}
