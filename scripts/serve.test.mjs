// @ts-check
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatHeaders, headerLookup, headerRules, parseHeaders } from './headers.mjs';
import { serve, serveFrom } from './serve.mjs';

const style = 'body { color: black }\n'.repeat(100);
/** @type {string} */
let folder;
/** @type {import('./serve.mjs').Server} */
let server;

/**
 * Sends a request without fetch, which would follow redirects and normalise the path.
 * @param {string} target
 * @param {{ method?: string, headers?: Record<string, string> }} [options]
 * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, body: Buffer }>}
 */
function ask(target, { method = 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: server.port, path: target, method, headers },
      (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'serve-'));
  fs.mkdirSync(path.join(folder, 'en'));
  fs.mkdirSync(path.join(folder, 'assets/worker'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'index.html'), '<title>Home</title>');
  fs.writeFileSync(path.join(folder, 'en/index.html'), '<title>English</title>');
  fs.writeFileSync(path.join(folder, '404.html'), '<title>Not here</title>');
  fs.writeFileSync(path.join(folder, 'assets/a.css'), style);
  fs.writeFileSync(path.join(folder, 'assets/worker/w.js'), 'onmessage = null;');
  fs.writeFileSync(path.join(folder, '_headers'), formatHeaders(headerRules({ pages: ['/', '/en/', '/404.html'] })));
  server = await serve({ root: folder });
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the server', () => {
  test('answers a folder with its index, and redirects a path without the slash', async () => {
    expect((await ask('/en/')).body.toString()).toContain('English');
    const { status, headers } = await ask('/en?x=1');
    expect([status, headers.location]).toEqual([301, '/en/?x=1']);
  });

  test('answers an unknown path with 404.html and status 404', async () => {
    const { status, body } = await ask('/nowhere/');
    expect([status, body.toString()]).toEqual([404, '<title>Not here</title>']);
  });

  test.each(['/../serve.mjs', '/%2e%2e/%2e%2e/etc/passwd', '/%00', '/%zz', '/_headers'])(
    'does not send a file for %s',
    async (target) => {
      expect((await ask(target)).status).toBeGreaterThanOrEqual(400);
    },
  );

  test('compresses with a coding that the browser accepts', async () => {
    const brotli = await ask('/assets/a.css', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(zlib.brotliDecompressSync(brotli.body).toString()).toBe(style);
    const gzip = await ask('/assets/a.css', { headers: { 'accept-encoding': 'gzip' } });
    expect(zlib.gunzipSync(gzip.body).toString()).toBe(style);
    const plain = await ask('/assets/a.css');
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, style]);
  });

  test('answers 304 if the file has not changed', async () => {
    const { headers } = await ask('/');
    expect((await ask('/', { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
    fs.writeFileSync(path.join(folder, 'index.html'), '<title>Another home</title>');
    expect((await ask('/', { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(200);
  });

  test('answers HEAD with headers only, and rejects POST', async () => {
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect((await ask('/', { method: 'POST' })).status).toBe(405);
    expect(server.log.at(-1)).toMatchObject({ method: 'POST', path: '/' });
  });

  test('uses the next port if one is in use', async () => {
    const next = await serveFrom({ root: folder, port: server.port });
    expect(next.port).toBeGreaterThan(server.port);
    await next.close();
  });
});

describe('the headers', () => {
  test('every answer has a policy, also a 404', async () => {
    for (const target of ['/', '/assets/a.css', '/assets/worker/w.js', '/nowhere']) {
      expect((await ask(target)).headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  test('the policy of the compute worker forbids every request', async () => {
    const { headers } = await ask('/assets/worker/w.js');
    const policies = String(headers['content-security-policy']).split(', ');
    expect(policies).toContain(
      "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'; worker-src 'none'",
    );
  });

  test('files with a hash in their name are immutable; pages must be revalidated', async () => {
    expect((await ask('/assets/a.css')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await ask('/en/')).headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  test('a header that is not a policy is set by one rule only', () => {
    const lookup = headerLookup(headerRules({ pages: ['/', '/en/', '/404.html'] }));
    for (const place of ['/', '/en/', '/404.html', '/assets/worker/w.js', '/page-data/x.json', '/sw.js']) {
      const caching = lookup(place).get('cache-control') ?? '';
      expect(caching.match(/max-age/g)).toHaveLength(1);
    }
  });

  test('writing and reading a table gives the same rules', () => {
    const rules = headerRules({ inline: { scripts: ["'sha256-abc='"], styles: [] } });
    expect(parseHeaders(formatHeaders(rules))).toEqual(rules);
    expect(rules[0]?.headers['Content-Security-Policy']).toContain("'sha256-abc='");
  });
});
