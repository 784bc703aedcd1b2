// @ts-check
// The headers that every host of the site must send, as one table. scripts/build-site.mjs writes it into dist/site as
// `_headers` (the syntax of Netlify and Cloudflare Pages); scripts/serve.mjs reads it from there, so that tests meet
// what is deployed. Rules add up: a header that two matching rules set reaches the browser as both values joined by a
// comma. For Content-Security-Policy that means both policies hold; no other header may appear in overlapping rules.
// The same table is written for nginx and Apache into dist/hosting.

/** @typedef {{ path: string, headers: Record<string, string> }} HeaderRule */
/** @typedef {{ scripts: string[], styles: string[] }} Inline `'sha256-…'` of each script and style sheet inside of pages */

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
 * The policy of pages and of everything that has no stricter one. Headers, not <meta>: a worker takes its policy from
 * its own response only, so one response without a policy would be a way out.
 * @param {Inline} inline
 * @param {'header' | 'meta'} [delivery] a <meta> tag, for hosts that send no headers, cannot say who may frame a page
 * @returns {string}
 */
export function pagePolicy({ scripts, styles }, delivery = 'header') {
  return policy({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...scripts],
    // Without `'self'`: the one sheet stands in the page. While developing, sheets are files.
    'style-src': styles.length === 0 ? ["'self'"] : styles,
    'img-src': ["'self'", 'blob:', 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    // From text too: what the compute worker starts has to satisfy both policies.
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    ...(delivery === 'header' ? { 'frame-ancestors': ["'none'"] } : {}),
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['app-url'],
  });
}

// The worker that sees the images: it can compile WebAssembly and reach nothing, not even this site. It may start workers from
// text that it has, which inherit this policy.
export const workerPolicy = policy({
  'default-src': ["'none'"],
  'script-src': ["'wasm-unsafe-eval'"],
  'connect-src': ["'none'"],
  'worker-src': ['blob:'],
});

// Capabilities that the site has no use for. Those it uses (clipboard, share, wake lock) are not named.
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

/** Where the site's build puts the compute worker, and nothing else. */
export const workerFolder = 'assets/worker';

// What may change with the next deployment, beside the pages: a browser asks each time whether it has.
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
    // Names under /assets/ carry a hash of the content.
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

/** @param {string} pattern @returns {string} the same as a regular expression, for other servers */
function asRegex(pattern) {
  return matcher(pattern).source.replaceAll('\\/', '/');
}

/**
 * Each header and value once, with all paths that it is for.
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
 * @returns {string} for nginx: the maps belong into `http`, the rest into `server`
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
    // An empty value is not sent.
    ...headers.map(({ name }, index) => `add_header ${name} $site_header_${index} always;`),
    'error_page 404 /404.html;',
    'location / {',
    '  try_files $uri $uri/index.html =404;',
    '}',
  ];
  // The address as it was asked for: $uri is /en/index.html by the time the answer is sent.
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
    // `add`, not `set`: two policies for one path must both hold.
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
 * @returns {(pathname: string) => Map<string, string>} lower-case names and the values that a response carries
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
