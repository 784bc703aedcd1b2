import { describe, expect, it, vi } from 'vitest';
import { batch, computed, Signal } from './signal.ts';

describe('a signal', () => {
  it('calls its listeners after a change, but not after it is set to the same value', () => {
    const count = new Signal(1);
    const listener = vi.fn(() => count.get());
    count.subscribe(listener);
    count.set(2);
    count.set(2);
    expect(listener.mock.results.map(({ value }) => value)).toEqual([2]);
  });

  it('does not call a listener that has unsubscribed', () => {
    const count = new Signal(1);
    const listener = vi.fn();
    const unsubscribe = count.subscribe(listener);
    unsubscribe();
    count.set(2);
    expect(listener).not.toHaveBeenCalled();
  });

  it('allows a listener to unsubscribe while it is called', () => {
    const count = new Signal(1);
    const once = count.subscribe(() => once());
    const listener = vi.fn();
    count.subscribe(listener);
    count.set(2);
    count.set(3);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe('a computed value', () => {
  it('follows any number of sources and is the same reference until a source changes', () => {
    const [a, b, c] = [new Signal(1), new Signal(2), new Signal(3)];
    const compute = vi.fn((...values: number[]) => ({ sum: values.reduce((sum, value) => sum + value, 0) }));
    const total = computed([a, b, c], compute);
    const first = total.get();
    expect(first).toEqual({ sum: 6 });
    expect(total.get()).toBe(first);
    c.set(30);
    expect(total.get()).toEqual({ sum: 33 });
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('computes nothing until it is read', () => {
    const a = new Signal(1);
    const compute = vi.fn(() => 0);
    const none = computed([a], compute);
    none.subscribe(() => undefined);
    a.set(2);
    expect(compute).not.toHaveBeenCalled();
  });

  it('can be a source, and unsubscribes from its sources', () => {
    const a = new Signal(1);
    const double = computed([a], (value) => value * 2);
    const text = computed([double, a], (twice, once) => `${once} ${twice}`);
    const listener = vi.fn(() => text.get());
    const unsubscribe = text.subscribe(listener);
    a.set(4);
    unsubscribe();
    a.set(5);
    expect(listener.mock.results.map(({ value }) => value)).toEqual(['4 8']);
  });
});

describe('a batch', () => {
  it('calls a listener once, after all changes', () => {
    const [a, b] = [new Signal(1), new Signal(1)];
    const sum = computed([a, b], (x, y) => x + y);
    const listener = vi.fn(() => sum.get());
    sum.subscribe(listener);
    batch(() => {
      a.set(2);
      batch(() => b.set(3));
      expect(listener).not.toHaveBeenCalled();
      expect(sum.get()).toBe(5);
    });
    expect(listener.mock.results.map(({ value }) => value)).toEqual([5]);
  });

  it('that throws reports the changes before the error, and does not delay later changes', () => {
    const a = new Signal(1);
    const listener = vi.fn(() => a.get());
    a.subscribe(listener);
    expect(() =>
      batch(() => {
        a.set(2);
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    a.set(3);
    expect(listener.mock.results.map(({ value }) => value)).toEqual([2, 3]);
  });
});
