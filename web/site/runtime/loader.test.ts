import { describe, expect, test } from 'vitest';
import type { Locale } from '../locales.ts';
import type { PageData } from '../page-data.ts';
import { type LoadedPage, Loader, type PageComponent } from './loader.ts';
import { createNetwork } from './network.ts';

type Reply = { status: number; body?: string } | 'no answer';

const Component: PageComponent = () => null;
const home: PageData = { path: '/en/', page: 'home', locale: 'en', queries: { en: { messages: 'm1', faq: 'f1' } } };
const missing: PageData = { path: '/404.html', page: 'not-found', locale: null, queries: { en: { messages: 'm1' } } };
const broken: PageData = { path: '/500.html', page: 'server-error', locale: null, queries: { en: { messages: 'm1' } } };
const ok = (json: unknown): Reply => ({ status: 200, body: JSON.stringify(json) });

/** Makes a loader with a fake server. Each address has a list of replies; the last reply is repeated. */
function setup(replies: Record<string, Reply[]>, { locale = 'en' }: { locale?: Locale } = {}) {
  const log: string[] = [];
  const all: Record<string, Reply[]> = {
    '/page-data/en/page-data.json': [ok(home)],
    '/page-data/404.html/page-data.json': [ok(missing)],
    '/page-data/500.html/page-data.json': [ok(broken)],
    '/page-data/app-data.json': [ok({ build: 'b1' })],
    '/page-data/sq/d/m1.json': [ok({ hello: [] })],
    '/page-data/sq/d/f1.json': [ok([])],
    ...replies,
  };
  const fetch = (url: string, init?: RequestInit) => {
    const line = init?.method === 'HEAD' ? `HEAD ${url}` : url;
    log.push(line);
    const list = all[line];
    const reply = (list !== undefined && list.length > 1 ? list.shift() : list?.[0]) ?? {
      status: 404,
      body: 'nothing here',
    };
    if (reply === 'no answer') return Promise.reject(new TypeError('network'));
    return Promise.resolve(new Response(reply.body ?? '', { status: reply.status }));
  };
  const imported: string[] = [];
  const loader = new Loader({
    network: createNetwork(fetch as typeof globalThis.fetch),
    importPage: (name) => {
      imported.push(name);
      return name === 'privacy' ? Promise.reject(new Error('chunk')) : Promise.resolve(Component);
    },
    localeFor: (pageLocale) => pageLocale ?? locale,
  });
  const count = (line: string) => log.filter((entry) => entry === line).length;
  return { loader, log, imported, count };
}

async function loaded(loader: Loader, href: string): Promise<LoadedPage> {
  const result = await loader.load(href);
  if (result.status !== 'ready') throw new Error(`not ready: ${result.cause}`);
  return result.page;
}

describe('per-page data file', () => {
  test('loading a page requests its data, its shared data, its chunk and the build once each', async () => {
    const { loader, log, imported } = setup({});
    const page = await loaded(loader, '/en/?a=1#faq');
    expect(page).toMatchObject({
      data: home,
      locale: 'en',
      build: 'b1',
      queries: { messages: { hello: [] }, faq: [] },
    });
    expect(log.toSorted()).toEqual([
      '/page-data/app-data.json',
      '/page-data/en/page-data.json',
      '/page-data/sq/d/f1.json',
      '/page-data/sq/d/m1.json',
    ]);
    expect(imported).toEqual(['home']);
  });

  test('a page in memory needs no request', async () => {
    const { loader, log } = setup({});
    const first = await loaded(loader, '/en');
    const before = log.length;
    expect(await loaded(loader, '/en/#faq')).toBe(first);
    expect(log).toHaveLength(before);
  });

  test('simultaneous loads of one page share their requests', async () => {
    const { loader, count } = setup({});
    await Promise.all([loader.load('/en/'), loader.load('/en')]);
    expect(count('/page-data/en/page-data.json')).toBe(1);
    expect(count('/page-data/app-data.json')).toBe(1);
  });
});

describe('retries 3: page data', () => {
  const url = '/page-data/en/page-data.json';
  const faults: [string, Reply][] = [
    ['no answer (0)', 'no answer'],
    ['503', { status: 503 }],
    ['502', { status: 502 }],
    ['403', { status: 403 }],
    ['429', { status: 429 }],
  ];
  test.each(faults)('%s twice, then success: 3 requests', async (_, fault) => {
    const { loader, count } = setup({ [url]: [fault, fault, ok(home)] });
    expect((await loader.load('/en/')).status).toBe('ready');
    expect(count(url)).toBe(3);
  });

  test.each(faults)('%s always: exactly 4 requests, then an error', async (_, fault) => {
    const { loader, count } = setup({ [url]: [fault] });
    expect((await loader.load('/en/')).status).toBe('error');
    expect(count(url)).toBe(4);
  });

  test('a failure is not cached: the next load sends requests again', async () => {
    const fault: Reply = { status: 503 };
    const { loader } = setup({ [url]: [fault, fault, fault, fault, ok(home)] });
    expect((await loader.load('/en/')).status).toBe('error');
    expect((await loader.load('/en/')).status).toBe('ready');
  });
});

describe('retries 3: app data', () => {
  const url = '/page-data/app-data.json';
  test.each([404, 500, 503])(
    'any status but 200 (%d) always: 4 requests, and the page works without a build',
    async (status) => {
      const { loader, count } = setup({ [url]: [{ status }] });
      expect((await loaded(loader, '/en/')).build).toBeNull();
      expect(count(url)).toBe(4);
    },
  );

  test('requested again for every page that is not in memory', async () => {
    const { loader, count } = setup({
      '/page-data/zh-CN/page-data.json': [ok({ ...home, path: '/zh-CN/' })],
    });
    await loader.load('/en/');
    await loader.load('/zh-CN/');
    await loader.load('/en/');
    expect(count(url)).toBe(2);
  });
});

describe('404 answer → 404 page', () => {
  test.each<[string, Reply]>([
    ['404', { status: 404, body: 'no' }],
    ['200 with HTML', { status: 200, body: '<!doctype html>' }],
    ['200 with JSON of another kind', ok({ hello: 'world' })],
    ['200 with null', ok(null)],
  ])('%s', async (_, reply) => {
    const { loader, count } = setup({ '/page-data/lost/page-data.json': [reply] });
    const page = await loaded(loader, '/lost');
    expect(page.data).toEqual(missing);
    expect(count('/page-data/lost/page-data.json')).toBe(1);
  });

  test.each(['/404.html', '/500.html'])('a missing %s is an error, not a loop', async (path) => {
    const { loader, log } = setup({ [`/page-data${path}/page-data.json`]: [{ status: 404 }] });
    expect((await loader.load(path)).status).toBe('error');
    expect(log.filter((line) => line.includes('page-data.json'))).toHaveLength(1);
  });

  test('if the 404 page is missing too, an unknown path is an error', async () => {
    const { loader } = setup({ '/page-data/404.html/page-data.json': [{ status: 404 }] });
    expect((await loader.load('/lost/')).status).toBe('error');
  });
});

describe('500 answer → 500 page', () => {
  test('is not retried and not cached', async () => {
    const { loader, count } = setup({ '/page-data/en/page-data.json': [{ status: 500 }, ok(home)] });
    expect((await loaded(loader, '/en/')).data).toEqual(broken);
    expect(count('/page-data/en/page-data.json')).toBe(1);
    expect((await loaded(loader, '/en/')).data).toEqual(home);
  });

  test('if the 500 page fails too, the result is an error', async () => {
    const { loader } = setup({
      '/page-data/en/page-data.json': [{ status: 500 }],
      '/page-data/500.html/page-data.json': [{ status: 500 }],
    });
    expect((await loader.load('/en/')).status).toBe('error');
  });
});

describe('HEAD double-check', () => {
  test('requests the address as written, without query and fragment', async () => {
    const { loader, count } = setup({ 'HEAD /files/report.pdf': [{ status: 404 }] });
    expect((await loaded(loader, '/files/report.pdf?x#y')).data).toEqual(missing);
    expect(count('HEAD /files/report.pdf')).toBe(1);
  });

  test('200 → error, so that the browser loads the address', async () => {
    const { loader } = setup({ 'HEAD /files/report.pdf': [{ status: 200 }] });
    expect((await loader.load('/files/report.pdf')).status).toBe('error');
  });

  test('no request for a found page, a failed page, or an address that starts with //', async () => {
    const { loader, log } = setup({ '/page-data/broken/page-data.json': [{ status: 500 }] });
    await loader.load('/en/');
    await loader.load('/broken/');
    await loader.load('//elsewhere/');
    expect(log.filter((line) => line.startsWith('HEAD'))).toEqual([]);
  });
});

describe('static query data files', () => {
  test('failure = page load failure', async () => {
    const { loader } = setup({ '/page-data/sq/d/f1.json': [{ status: 503 }] });
    expect((await loader.load('/en/')).status).toBe('error');
  });

  test('data shared by several pages is requested once', async () => {
    const { loader, count } = setup({});
    await loader.load('/en/');
    await loader.load('/lost/');
    expect(count('/page-data/sq/d/m1.json')).toBe(1);
  });

  test("a page without a fixed language loads the texts in the visitor's language", async () => {
    const page: PageData = {
      path: '/',
      page: 'home',
      locale: null,
      queries: { en: { messages: 'm1' }, 'zh-TW': { messages: 'm2' } },
    };
    const replies = { '/page-data/index/page-data.json': [ok(page)], '/page-data/sq/d/m2.json': [ok({ 你好: [] })] };
    const { loader, count } = setup(replies, { locale: 'zh-TW' });
    expect(await loaded(loader, '/')).toMatchObject({ locale: 'zh-TW', queries: { messages: { 你好: [] } } });
    expect(count('/page-data/sq/d/m1.json')).toBe(0);
  });
});

test('a page whose chunk cannot be loaded is an error', async () => {
  const { loader } = setup({
    '/page-data/privacy-policy/page-data.json': [ok({ ...home, path: '/privacy-policy/', page: 'privacy' })],
  });
  const result = await loader.load('/privacy-policy/');
  expect(result).toMatchObject({ status: 'error', cause: new Error('chunk') });
});

describe('the page in the HTML', () => {
  const start: LoadedPage = { data: home, locale: 'en', queries: { messages: {} }, Component, build: 'b1' };
  test('is loaded without a request', async () => {
    const { loader, log } = setup({});
    loader.adopt(start);
    expect(loader.known('/en')).toBe(start);
    expect(await loaded(loader, '/en/')).toBe(start);
    expect(log).toEqual([]);
  });

  test("is not used in another language than the visitor's; its data is", async () => {
    const data: PageData = { ...home, path: '/', locale: null, queries: { 'zh-CN': { messages: 'm1' } } };
    const { loader, log } = setup({}, { locale: 'zh-CN' });
    loader.adopt({ ...start, data });
    expect((await loaded(loader, '/')).locale).toBe('zh-CN');
    expect(log.toSorted()).toEqual(['/page-data/app-data.json', '/page-data/sq/d/m1.json']);
  });
});

test('prefetch loads data and chunk, but does not request the build', async () => {
  const { loader, log, imported } = setup({});
  await loader.prefetch('/en/');
  expect(imported).toEqual(['home']);
  expect(loader.known('/en/')).toBeUndefined();
  const before = log.length;
  await loader.load('/en/');
  expect(log.slice(before)).toEqual(['/page-data/app-data.json']);
});
