import { expect, it } from 'vitest';
import { overrideTitle } from './page-title.ts';

it('an overridden title is restored', () => {
  const document = { title: 'Resize Images Online' };
  overrideTitle(document, '(1/5) Resize Images Online')();
  expect(document.title).toBe('Resize Images Online');
});

it('a title that the site sets in the meantime stays', () => {
  const document = { title: 'Resize Images Online' };
  const restore = overrideTitle(document, '(1/5) Resize Images Online');
  document.title = 'Privacy Policy';
  restore();
  expect(document.title).toBe('Privacy Policy');
});
