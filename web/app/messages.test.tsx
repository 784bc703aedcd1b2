import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import english from '../../locales/en.json' with { type: 'json' };
import chinese from '../../locales/zh-CN.json' with { type: 'json' };
import { type Message, useWords, WordsProvider } from '../i18n/index.ts';
import type { Counts } from './state/counts.ts';
import { failureMessage, keptMessages } from './state/item-messages.ts';
import { statusMessages } from './state/status-messages.ts';

function Text({ messages }: { readonly messages: readonly Message[] }) {
  return useWords().joined(...messages);
}

function textOf(locale: string, words: typeof english, messages: readonly Message[]): string {
  return renderToStaticMarkup(
    <WordsProvider locale={locale} messages={words}>
      <Text messages={messages} />
    </WordsProvider>,
  );
}

const inEnglish = (...messages: readonly Message[]) => textOf('en', english, messages);
const inChinese = (...messages: readonly Message[]) => textOf('zh-CN', chinese, messages);

describe('the messages for an image that keeps its pixels', () => {
  it('use "kept as it is" only if the bytes stay', () => {
    expect(inEnglish(...keptMessages('already-smaller', null, true))).toBe('Already smaller – kept as it is.');
  });

  it('name the removed metadata, before and after the run', () => {
    const text = (policy: 'keep-without-location' | 'remove', isDone: boolean) =>
      inEnglish(...keptMessages('same-size', policy, isDone));
    expect(text('keep-without-location', false)).toBe('Already this size – not resized. The location will be removed.');
    expect(text('keep-without-location', true)).toBe('Already this size – not resized. The location was removed.');
    expect(text('remove', true)).toBe('Already this size – not resized. All metadata was removed.');
  });
});

describe('joined messages', () => {
  it('have a space between sentences in English and none in Chinese', () => {
    const messages = keptMessages('already-smaller', 'keep-without-location', true);
    expect(inEnglish(...messages)).toBe('Already smaller – not resized. The location was removed.');
    expect(inChinese(...messages)).toBe('已经足够小，未调整尺寸。已移除位置信息。');
  });

  it('name bytes in the language of the page', () => {
    const saved: Message = { key: 'status.saved', values: { name: 'a.png', size: { bytes: 100, decimals: 1 } } };
    expect(inEnglish(saved)).toBe('Saved a.png (100Bytes).');
    expect(inChinese(saved)).toBe('已保存 a.png（100 字节）。');
  });
});

describe('the message for a file of another kind', () => {
  it.each([
    ['pdf', 'This is a PDF, not an image.'],
    ['zip', 'This is an archive, not an image.'],
    ['office', 'This is an Office document, not an image.'],
    ['video', 'This is a video, not an image.'],
    ['audio', 'This is a sound file, not an image.'],
    ['something new', 'This is another kind of file, not an image.'],
    ['', 'This is another kind of file, not an image.'],
  ])('for %j is %j', (kind, words) => {
    expect(inEnglish(failureMessage({ code: 'other-kind', kind, detail: '' }))).toBe(words);
  });

  it.each([
    ['psd', 'PSD'],
    ['jpeg2000', 'JPEG 2000'],
    ['raw', 'RAW'],
  ])('for %j, an image format, is that the format is not supported', (kind, name) => {
    const message = failureMessage({ code: 'other-kind', kind, detail: '' });
    expect(message).toEqual({ key: 'failure.unsupported', values: { format: name } });
  });
});

describe('the message for too little memory', () => {
  const failed = (need: number, have: number) => failureMessage({ code: 'memory', need, have, detail: '' });

  it('contains the needed and the available memory', () => {
    expect(inEnglish(failed(3 * 2 ** 30, 2 ** 30))).toContain('It needs about 3GB of memory; 1GB is available.');
  });

  it.each([
    [37, 50],
    [0, 0],
    [9, 0],
  ])('omits the numbers if they do not explain the failure: %i of %i', (need, have) => {
    expect(failed(need, have)).toEqual({ key: 'failure.memory.unknown' });
  });
});

describe('the message at the end of a run', () => {
  const counts: Counts = {
    ...{ total: 6, bytes: 6000, animated: 0, paged: 0, reading: 0, busy: 0, done: 2, kept: 3, failed: 1 },
    ...{ entries: [], damaged: 0, impossible: 0, formats: new Set<never>() },
    ...{ unusable: 1, retryable: 0, pending: 0, stale: 0, unsaved: 2, before: 5000, after: 2500 },
  };

  it('does not count kept images as resized', () => {
    expect(inEnglish(...statusMessages({ counts, run: { state: 'finished' } }))).toBe(
      '2 of 6 images resized. 1 failed. 3 images were not resized. 4.9KB → 2.4KB (50% smaller). Save is ready.',
    );
  });
});
