import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PrefetchQueue, type Visitor } from './prefetch.ts';

const person: Visitor = { userAgent: 'Mozilla/5.0 Firefox/153.0' };

/** Makes a queue whose requests end when the test calls `finishAll`. */
function setup(visitor: Visitor = person, known: string[] = []) {
  const fetched: string[] = [];
  const ends: (() => void)[] = [];
  const whenIdle = vi.fn((callback: () => void) => callback());
  const queue = new PrefetchQueue({
    visitor,
    isKnown: (path) => known.includes(path),
    prefetch: (href) => {
      fetched.push(href);
      return new Promise((resolve) => ends.push(resolve));
    },
    whenIdle,
  });
  const finishAll = async () => {
    for (const end of ends.splice(0)) end();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, fetched, finishAll, whenIdle };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('prefetch', () => {
  test('the first batch starts 3 s after the first request, when the browser is idle', async () => {
    const { queue, fetched, whenIdle } = setup();
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(2000);
    queue.request('/b/');
    await vi.advanceTimersByTimeAsync(999);
    expect(fetched).toEqual([]);
    expect(whenIdle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toEqual(['/a/', '/b/']);
    expect(whenIdle).toHaveBeenCalledOnce();
  });

  test('a batch has 4 paths and starts 3 s after the end of the previous one', async () => {
    const { queue, fetched, finishAll } = setup();
    for (let n = 1; n <= 9; n++) queue.request(`/${n}/`);
    await vi.advanceTimersByTimeAsync(3000);
    expect(fetched).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveLength(4);
    await finishAll();
    await vi.advanceTimersByTimeAsync(2999);
    expect(fetched).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveLength(8);
    await finishAll();
    await vi.advanceTimersByTimeAsync(3000);
    expect(fetched).toEqual(['/1/', '/2/', '/3/', '/4/', '/5/', '/6/', '/7/', '/8/', '/9/']);
  });

  test('a request during a batch starts 3 s after its end', async () => {
    const { queue, fetched, finishAll } = setup();
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(3000);
    queue.request('/b/');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toEqual(['/a/']);
    await finishAll();
    await vi.advanceTimersByTimeAsync(2999);
    expect(fetched).toEqual(['/a/']);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toEqual(['/a/', '/b/']);
  });

  test('a failed page does not stop the queue', async () => {
    const queue = new PrefetchQueue({
      visitor: person,
      isKnown: () => false,
      prefetch: vi.fn().mockRejectedValueOnce(new Error('network')).mockResolvedValue(undefined),
      whenIdle: (callback) => callback(),
    });
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(3000);
    queue.request('/b/');
    expect(vi.getTimerCount()).toBe(1);
  });

  test('abort removes from the queue', async () => {
    const { queue, fetched } = setup();
    const abort = queue.request('/a/');
    queue.request('/b/');
    abort();
    await vi.advanceTimersByTimeAsync(3000);
    expect(fetched).toEqual(['/b/']);
  });

  test('a page with several links is requested once', async () => {
    const { queue, fetched, finishAll } = setup();
    queue.request('/a/');
    queue.request('/a');
    queue.request('/a/#there');
    await vi.advanceTimersByTimeAsync(3000);
    await finishAll();
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toEqual(['/a/']);
  });

  test.each<[string, Visitor]>([
    ['effectiveType 2g', { ...person, connection: { effectiveType: '2g' } }],
    ['effectiveType slow-2g', { ...person, connection: { effectiveType: 'slow-2g' } }],
    ['saveData', { ...person, connection: { effectiveType: '4g', saveData: true } }],
    ['a bot', { userAgent: 'Googlebot/2.1' }],
    ['a crawler', { userAgent: 'Some Crawler' }],
    ['a spider', { userAgent: 'Baiduspider+' }],
    ['something crawling', { userAgent: 'crawling/1' }],
  ])('skip: %s', async (_, visitor) => {
    const { queue, fetched } = setup(visitor);
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toEqual([]);
  });

  test('skip: a page in memory', async () => {
    const { queue, fetched } = setup(person, ['/a/']);
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toEqual([]);
  });

  test('a fast connection without saveData prefetches', async () => {
    const { queue, fetched } = setup({ ...person, connection: { effectiveType: '4g', saveData: false } });
    queue.request('/a/');
    await vi.advanceTimersByTimeAsync(3000);
    expect(fetched).toEqual(['/a/']);
  });
});
