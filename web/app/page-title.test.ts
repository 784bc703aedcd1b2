import { expect, it } from 'vitest';
import { borrowTitle } from './page-title.ts';

it('a borrowed title is given back', () => {
  const document = { title: 'Resize Images Online' };
  borrowTitle(document, '(1/5) Resize Images Online')();
  expect(document.title).toBe('Resize Images Online');
});

it('a title that somebody else has set meanwhile stays', () => {
  const document = { title: 'Resize Images Online' };
  const giveBack = borrowTitle(document, '(1/5) Resize Images Online');
  document.title = 'Privacy Policy';
  giveBack();
  expect(document.title).toBe('Privacy Policy');
});
