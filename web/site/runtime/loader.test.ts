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

/** A server in small: each address has a list of replies, the last of which is for ever. */
function world(replies: Record<string, Reply[]>, { locale = 'en' }: { locale?: Locale } = {}) {
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
  test('a page costs its data, its shared data, its chunk and the build, each asked once', async () => {
    const { loader, log, imported } = world({});
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

  test('a page in memory costs nothing', async () => {
    const { loader, log } = world({});
    const first = await loaded(loader, '/en');
    const before = log.length;
    expect(await loaded(loader, '/en/#faq')).toBe(first);
    expect(log).toHaveLength(before);
  });

  test('two steps to one page at a time share their requests', async () => {
    const { loader, count } = world({});
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
  test.each(faults)('%s twice, then the page: 3 requests', async (_, fault) => {
    const { loader, count } = world({ [url]: [fault, fault, ok(home)] });
    expect((await loader.load('/en/')).status).toBe('ready');
    expect(count(url)).toBe(3);
  });

  test.each(faults)('%s for ever: exactly 4 requests, then the page has failed', async (_, fault) => {
    const { loader, count } = world({ [url]: [fault] });
    expect((await loader.load('/en/')).status).toBe('error');
    expect(count(url)).toBe(4);
  });

  test('a failure is not kept: the next visit asks again', async () => {
    const fault: Reply = { status: 503 };
    const { loader } = world({ [url]: [fault, fault, fault, fault, ok(home)] });
    expect((await loader.load('/en/')).status).toBe('error');
    expect((await loader.load('/en/')).status).toBe('ready');
  });
});

describe('retries 3: app data', () => {
  const url = '/page-data/app-data.json';
  test.each([404, 500, 503])(
    'any non-200 (%d) for ever: 4 requests, and the page works without a build',
    async (status) => {
      const { loader, count } = world({ [url]: [{ status }] });
      expect((await loaded(loader, '/en/')).build).toBeNull();
      expect(count(url)).toBe(4);
    },
  );

  test('asked again for every page not yet in memory', async () => {
    const { loader, count } = world({
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
    const { loader, count } = world({ '/page-data/lost/page-data.json': [reply] });
    const page = await loaded(loader, '/lost');
    expect(page.data).toEqual(missing);
    expect(count('/page-data/lost/page-data.json')).toBe(1);
  });

  test.each(['/404.html', '/500.html'])('%s itself missing is an error, not a loop', async (path) => {
    const { loader, log } = world({ [`/page-data${path}/page-data.json`]: [{ status: 404 }] });
    expect((await loader.load(path)).status).toBe('error');
    expect(log.filter((line) => line.includes('page-data.json'))).toHaveLength(1);
  });

  test('with the 404 page missing too, an unknown path is an error', async () => {
    const { loader } = world({ '/page-data/404.html/page-data.json': [{ status: 404 }] });
    expect((await loader.load('/lost/')).status).toBe('error');
  });
});

describe('500 answer → 500 page', () => {
  test('without a retry, and not kept', async () => {
    const { loader, count } = world({ '/page-data/en/page-data.json': [{ status: 500 }, ok(home)] });
    expect((await loaded(loader, '/en/')).data).toEqual(broken);
    expect(count('/page-data/en/page-data.json')).toBe(1);
    expect((await loaded(loader, '/en/')).data).toEqual(home);
  });

  test('with the 500 page broken too, it is an error', async () => {
    const { loader } = world({
      '/page-data/en/page-data.json': [{ status: 500 }],
      '/page-data/500.html/page-data.json': [{ status: 500 }],
    });
    expect((await loader.load('/en/')).status).toBe('error');
  });
});

describe('HEAD double-check', () => {
  test('asks the address as it was written, without query and fragment', async () => {
    const { loader, count } = world({ 'HEAD /files/report.pdf': [{ status: 404 }] });
    expect((await loaded(loader, '/files/report.pdf?x#y')).data).toEqual(missing);
    expect(count('HEAD /files/report.pdf')).toBe(1);
  });

  test('200 → the browser goes there itself', async () => {
    const { loader } = world({ 'HEAD /files/report.pdf': [{ status: 200 }] });
    expect((await loader.load('/files/report.pdf')).status).toBe('error');
  });

  test('never for a page that was found, one that is broken, or an address that starts with //', async () => {
    const { loader, log } = world({ '/page-data/broken/page-data.json': [{ status: 500 }] });
    await loader.load('/en/');
    await loader.load('/broken/');
    await loader.load('//elsewhere/');
    expect(log.filter((line) => line.startsWith('HEAD'))).toEqual([]);
  });
});

describe('static query data files', () => {
  test('failure = page load failure', async () => {
    const { loader } = world({ '/page-data/sq/d/f1.json': [{ status: 503 }] });
    expect((await loader.load('/en/')).status).toBe('error');
  });

  test('shared by several pages: asked once', async () => {
    const { loader, count } = world({});
    await loader.load('/en/');
    await loader.load('/lost/');
    expect(count('/page-data/sq/d/m1.json')).toBe(1);
  });

  test('a page without a language brings the texts of the reader', async () => {
    const page: PageData = {
      path: '/',
      page: 'home',
      locale: null,
      queries: { en: { messages: 'm1' }, 'zh-TW': { messages: 'm2' } },
    };
    const replies = { '/page-data/index/page-data.json': [ok(page)], '/page-data/sq/d/m2.json': [ok({ 你好: [] })] };
    const { loader, count } = world(replies, { locale: 'zh-TW' });
    expect(await loaded(loader, '/')).toMatchObject({ locale: 'zh-TW', queries: { messages: { 你好: [] } } });
    expect(count('/page-data/sq/d/m1.json')).toBe(0);
  });
});

test('a chunk that cannot be loaded is a page that cannot be loaded', async () => {
  const { loader } = world({
    '/page-data/privacy-policy/page-data.json': [ok({ ...home, path: '/privacy-policy/', page: 'privacy' })],
  });
  const result = await loader.load('/privacy-policy/');
  expect(result).toMatchObject({ status: 'error', cause: new Error('chunk') });
});

describe('the page that came with the HTML', () => {
  const start: LoadedPage = { data: home, locale: 'en', queries: { messages: {} }, Component, build: 'b1' };
  test('is known without a request', async () => {
    const { loader, log } = world({});
    loader.adopt(start);
    expect(loader.known('/en')).toBe(start);
    expect(await loaded(loader, '/en/')).toBe(start);
    expect(log).toEqual([]);
  });

  test('in another language than the reader’s, only its data is', async () => {
    const data: PageData = { ...home, path: '/', locale: null, queries: { 'zh-CN': { messages: 'm1' } } };
    const { loader, log } = world({}, { locale: 'zh-CN' });
    loader.adopt({ ...start, data });
    expect((await loaded(loader, '/')).locale).toBe('zh-CN');
    expect(log.toSorted()).toEqual(['/page-data/app-data.json', '/page-data/sq/d/m1.json']);
  });
});

test('prefetch brings data and chunk, and leaves the question for the build to the navigation', async () => {
  const { loader, log, imported } = world({});
  await loader.prefetch('/en/');
  expect(imported).toEqual(['home']);
  expect(loader.known('/en/')).toBeUndefined();
  const before = log.length;
  await loader.load('/en/');
  expect(log.slice(before)).toEqual(['/page-data/app-data.json']);
});
