import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import english from '../../locales/en.json' with { type: 'json' };
import { type Message, useWords, WordsProvider } from '../i18n/index.ts';
import type { Counts } from './state/counts.ts';
import { failureMessage } from './state/item-messages.ts';
import { outcomeMessages } from './state/status-messages.ts';

/** What somebody reads who has chosen English. */
function inEnglish(...messages: readonly Message[]): string {
  function Words() {
    const { say } = useWords();
    return messages.map(say).join(' ');
  }
  return renderToStaticMarkup(
    <WordsProvider locale="en" messages={english}>
      <Words />
    </WordsProvider>,
  );
}

describe('a file of another kind', () => {
  it.each([
    ['pdf', 'This is a PDF, not an image.'],
    ['zip', 'This is an archive, not an image.'],
    ['office', 'This is an Office document, not an image.'],
    ['video', 'This is a video, not an image.'],
    ['audio', 'This is a sound file, not an image.'],
    ['something new', 'This is another kind of file, not an image.'],
    ['', 'This is another kind of file, not an image.'],
  ])('%j reads %j', (kind, words) => {
    expect(inEnglish(failureMessage({ code: 'other-kind', kind, detail: '' }))).toBe(words);
  });

  it.each([
    ['psd', 'PSD'],
    ['jpeg2000', 'JPEG 2000'],
    ['raw', 'RAW'],
  ])('%j is an image to people, and not called anything else', (kind, name) => {
    const message = failureMessage({ code: 'other-kind', kind, detail: '' });
    expect(message).toEqual({ key: 'failure.unsupported', values: { format: name } });
  });
});

describe('too little memory', () => {
  const failed = (need: number, have: number) => failureMessage({ code: 'memory', need, have, detail: '' });

  it('names the numbers that explain it', () => {
    expect(inEnglish(failed(3 * 2 ** 30, 2 ** 30))).toContain('It needs about 3GB of memory; 1GB is available.');
  });

  it.each([
    [37, 50],
    [0, 0],
    [9, 0],
  ])('names no numbers that explain nothing: %i of %i', (need, have) => {
    expect(failed(need, have)).toEqual({ key: 'failure.memory.unknown' });
  });
});

describe('the end of a run', () => {
  const counts: Counts = {
    ...{ total: 6, bytes: 6000, paged: 0, reading: 0, busy: 0, done: 2, kept: 3, failed: 1 },
    ...{ entries: [], formats: new Set<never>() },
    ...{ unusable: 1, retryable: 0, pending: 0, stale: 0, unsaved: 2, before: 5000, after: 2500 },
  };

  it('does not count what was kept among what was resized', () => {
    expect(inEnglish(...outcomeMessages({ counts, run: { state: 'finished' } }))).toBe(
      '2 of 6 images resized. 1 failed. 3 were kept as they are. 4.9KB → 2.4KB (50% smaller). Save is ready.',
    );
  });
});
