// Buttons, progress bars, messages and visibility in a real browser.
import { flushSync } from 'react-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Announcement, Toast } from '../state/notifications.ts';
import { Signal } from '../state/signal.ts';
import { ToastStack } from '../toast-stack.tsx';
import { Button, IconButton, LiveRegion, ProgressBar, Visibility } from './index.ts';
import { only, type Rendered, render } from './testing/render.tsx';

let shown: Rendered | undefined;
afterEach(() => shown?.unmount());
const show = (...args: Parameters<typeof render>) => {
  shown = render(...args);
  return shown.container;
};

test('a disabled button does nothing', () => {
  const onClick = vi.fn();
  const container = show(
    <Button disabled onClick={onClick}>
      Save
    </Button>,
  );
  only<HTMLButtonElement>(container, 'button').click();
  expect(onClick).not.toHaveBeenCalled();
});

test('an icon button has its label as its accessible name; its icon is hidden from screen readers', () => {
  const container = show(<IconButton icon="close" label="Remove a.jpg" />);
  expect(only(container, 'button').getAttribute('aria-label')).toBe('Remove a.jpg');
  expect(only(container, 'svg').getAttribute('aria-hidden')).toBe('true');
});

test('a progress bar has its fraction as a value and as text', () => {
  const container = show(<ProgressBar fraction={0.25} label="Progress" />);
  const bar = only<HTMLProgressElement>(container, 'progress');
  expect([bar.position, bar.getAttribute('aria-valuetext')]).toEqual([0.25, '25%']);
  expect(bar.getBoundingClientRect().height).toBeGreaterThan(0);
});

test('a live region changes when the same message is announced again', () => {
  const announcement = new Signal<Announcement>({ messages: [], turn: 0 });
  const container = show(<LiveRegion announcement={announcement} urgency="polite" />);
  const region = only(container, '[role="status"]');
  expect(region.textContent).toBe('');
  const messages = [{ key: 'status.saveReady' }, { key: 'status.idle' }] as const;
  flushSync(() => announcement.set({ messages, turn: 1 }));
  const first = region.textContent;
  flushSync(() => announcement.set({ messages, turn: 2 }));
  expect(first?.trim()).toMatch(/^Save is ready\. /);
  expect(region.textContent).not.toBe(first);
  expect(region.textContent?.trim()).toBe(first?.trim());
});

test('a live region is emptied after a while', () => {
  vi.useFakeTimers();
  const announcement = new Signal<Announcement>({ messages: [], turn: 0 });
  const container = show(<LiveRegion announcement={announcement} urgency="assertive" />);
  const region = only(container, '[role="alert"]');
  flushSync(() => announcement.set({ messages: [{ key: 'status.saveReady' }], turn: 1 }));
  expect(region.textContent).not.toBe('');
  flushSync(() => vi.advanceTimersByTime(60_000));
  expect(region.textContent).toBe('');
  vi.useRealTimers();
});

describe('a toast', () => {
  const toast: Toast = { id: 1, message: { key: 'status.saveReady' }, tone: 'plain', undo: true };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('closes after ten seconds without the focus', () => {
    const onClose = vi.fn();
    const container = show(<ToastStack toasts={[toast]} onUndo={() => {}} onClose={onClose} />);
    const section = only(container, 'section');
    flushSync(() => section.dispatchEvent(new FocusEvent('focusin', { bubbles: true })));
    vi.advanceTimersByTime(60_000);
    expect(onClose).not.toHaveBeenCalled();
    flushSync(() => section.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    vi.advanceTimersByTime(9_999);
    expect(onClose).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onClose).toHaveBeenCalledWith(toast);
  });

  test('has an Undo button if its message can be undone', () => {
    const onUndo = vi.fn();
    const container = show(<ToastStack toasts={[toast]} onUndo={onUndo} onClose={() => {}} />);
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Undo')?.click();
    expect(onUndo).toHaveBeenCalledOnce();
  });
});

test('visibility is reported when the page scrolls, until it is no longer watched', async () => {
  const container = show(
    <>
      <p data-far="" />
      <div />
    </>,
  );
  const far = only<HTMLElement>(container, '[data-far]');
  far.style.marginBlockStart = '300vh';
  const seen: boolean[] = [];
  const unwatch = new Visibility().watch(far, (visible) => seen.push(visible));
  await vi.waitFor(() => expect(seen).toEqual([false]));
  far.scrollIntoView();
  await vi.waitFor(() => expect(seen).toEqual([false, true]));
  unwatch();
  window.scrollTo(0, 0);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(seen).toEqual([false, true]);
});
