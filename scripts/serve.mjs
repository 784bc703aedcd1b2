// @ts-check
// A small static host that behaves like a deployment (`_headers`, 404.html, folders with a trailing slash, compression,
// revalidation), so that the preview and the tests get the same answers. It is for local use only.
//   node scripts/serve.mjs [folder] [port]
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { headerLookup, parseHeaders } from './headers.mjs';
import { isMain } from './main.mjs';
import { root as projectRoot } from './toolchain.mjs';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {{ method: string, path: string, bodyBytes: number }} LoggedRequest */
/**
 * @typedef {object} ServeOptions
 * @property {string} root the folder to serve
 * @property {number} [port] 0, the default, is any free port
 * @property {string} [host]
 * @property {LoggedRequest[]} [log] receives every request
 * @property {(request: Request, response: Response, url: URL) => boolean | Promise<boolean>} [intercept]
 *   returns true if it has sent the answer; may set headers or wait and return false
 */
/** @typedef {NonNullable<ServeOptions['intercept']>} Intercept */
/** @typedef {{ url: string, port: number, log: LoggedRequest[], close: () => Promise<void> }} Server */

/** @type {Record<string, string>} */
const contentTypes = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};
const compressible = new Set([
  '.css',
  '.html',
  '.ico',
  '.js',
  '.json',
  '.md',
  '.mjs',
  '.svg',
  '.txt',
  '.wasm',
  '.webmanifest',
  '.xml',
]);

/** @type {Record<string, { suffix: string, compress: (bytes: Buffer) => Promise<Buffer> }>} */
const codings = {
  br: {
    suffix: '.br',
    // Level 5 of 11: the highest levels take seconds for a few per cent.
    compress: (bytes) =>
      promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  gzip: { suffix: '.gz', compress: (bytes) => promisify(zlib.gzip)(bytes, { level: 6 }) },
};

/**
 * Finds the file of a path.
 * @param {string} root
 * @param {string} pathname
 * @returns {{ status: 200 | 404, file: string | undefined } | { status: 301, location: string } | { status: 400 }}
 */
function resolve(root, pathname) {
  let decoded;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return { status: 400 };
  }
  const file = path.join(root, decoded);
  if (decoded.includes('\0') || (file !== root && !file.startsWith(root + path.sep))) return { status: 400 };
  const hidden = decoded === '/_headers';
  const stat = hidden ? undefined : fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && !decoded.endsWith('/')) return { status: 200, file };
  if (stat?.isDirectory() && fs.existsSync(path.join(file, 'index.html'))) {
    if (!pathname.endsWith('/')) return { status: 301, location: `${pathname}/` };
    return { status: 200, file: path.join(file, 'index.html') };
  }
  const notFound = path.join(root, '404.html');
  return { status: 404, file: fs.statSync(notFound, { throwIfNoEntry: false })?.isFile() ? notFound : undefined };
}

/** The compressed bytes by content and coding, for all servers of this process. @type {Map<string, Buffer>} */
const compressed = new Map();

/**
 * Returns the bytes to send. They are compressed if the browser accepts it, from a compressed file if there is one.
 * @param {string} file
 * @param {string} accepted Accept-Encoding
 * @returns {Promise<{ body: Buffer, coding: string | undefined, tag: string }>}
 */
async function encoded(file, accepted) {
  const original = await fs.promises.readFile(file);
  const tag = createHash('sha256').update(original).digest('base64url').slice(0, 22);
  const offered = new Set(accepted.split(',').map((part) => part.split(';')[0]?.trim() ?? ''));
  const coding = compressible.has(path.extname(file))
    ? Object.keys(codings).find((name) => offered.has(name))
    : undefined;
  const codec = coding === undefined ? undefined : codings[coding];
  if (coding === undefined || codec === undefined) return { body: original, coding: undefined, tag: `"${tag}"` };
  const key = `${tag} ${coding}`;
  let body = compressed.get(key);
  if (body === undefined) {
    const beside = file + codec.suffix;
    body = fs.existsSync(beside) ? await fs.promises.readFile(beside) : await codec.compress(original);
    compressed.set(key, body);
  }
  return { body, coding, tag: `"${tag}-${coding}"` };
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {{ status: number, file: string }} found
 */
async function sendFile(request, response, { status, file }) {
  const { body, coding, tag } = await encoded(file, String(request.headers['accept-encoding'] ?? ''));
  if (!response.hasHeader('content-type')) {
    response.setHeader('content-type', contentTypes[path.extname(file)] ?? 'application/octet-stream');
  }
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'public, max-age=0, must-revalidate');
  if (compressible.has(path.extname(file))) response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('etag', tag);
  if (status === 200 && request.headers['if-none-match'] === tag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = status;
  if (coding !== undefined) response.setHeader('content-encoding', coding);
  response.setHeader('content-length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** @param {Response} response @param {number} status @param {string} text */
function sendText(response, status, text) {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
}

/**
 * @param {string} root
 * @returns {(pathname: string) => Map<string, string>}
 */
function headersOf(root) {
  const file = path.join(root, '_headers');
  return headerLookup(fs.existsSync(file) ? parseHeaders(fs.readFileSync(file, 'utf8')) : []);
}

/**
 * @param {ServeOptions} options
 * @param {LoggedRequest[]} log
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
function answerer({ root, intercept }, log) {
  const lookup = headersOf(root);
  return async (request, response) => {
    const url = new URL(`http://host${request.url?.startsWith('/') ? request.url : '/'}`);
    const entry = { method: request.method ?? 'GET', path: url.pathname + url.search, bodyBytes: 0 };
    log.push(entry);
    request.on('data', (chunk) => {
      entry.bodyBytes += chunk.length;
    });
    for (const [name, value] of lookup(url.pathname)) response.setHeader(name, value);
    if (intercept !== undefined && (await intercept(request, response, url))) return;
    if (entry.method !== 'GET' && entry.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'GET and HEAD only\n');
    }
    const found = resolve(root, url.pathname);
    if (found.status === 400) return sendText(response, 400, 'no such path\n');
    if (found.status === 301) {
      response.setHeader('location', found.location + url.search);
      return sendText(response, 301, '');
    }
    if (found.file === undefined) return sendText(response, 404, 'not found\n');
    await sendFile(request, response, { status: found.status, file: found.file });
  };
}

/**
 * @param {ServeOptions} options
 * @returns {Promise<Server>}
 */
export function serve(options) {
  const log = options.log ?? [];
  const answer = answerer({ ...options, root: path.resolve(options.root) }, log);
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, `${error}\n`);
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const close = () =>
        new Promise((/** @type {(value: void) => void} */ closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url: `http://localhost:${port}`, port, log, close });
    });
  });
}

/**
 * Like `serve`, on the first free port from `port` on.
 * @param {ServeOptions & { port: number }} options
 * @returns {Promise<Server>}
 */
export async function serveFrom(options) {
  for (let port = options.port; port < options.port + 100; port++) {
    try {
      return await serve({ ...options, port });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new Error(`no free port between ${options.port} and ${options.port + 99}`);
}

if (isMain(import.meta)) {
  const [folder = path.join(projectRoot, 'dist/site'), port = '4173'] = process.argv.slice(2);
  const { url } = await serveFrom({ root: folder, port: Number(port) });
  console.log(`${path.resolve(folder)} at ${url}`);
}
