// @ts-check
import { expect, test } from 'vitest';
import { missingFacts } from './site-facts.mjs';

/** @type {import('../web/site/config.ts').SiteConfig} */
const site = {
  domain: 'a.example',
  basePath: '',
  name: { en: 'A', 'zh-CN': 'A', 'zh-TW': 'A' },
  contact: 'mail@a.example',
  operator: 'A',
  host: { name: 'H', logDays: 7 },
  heic: 'built-in',
  analytics: null,
  serviceWorker: true,
};

test('a build without operator, contact or host reports the missing options', () => {
  expect(missingFacts(site)).toBeNull();
  expect(missingFacts({ ...site, contact: null })).toContain('does not contain: contact.');
  expect(missingFacts({ ...site, operator: null, host: null })).toContain('does not contain: operator, host.');
  expect(missingFacts({ ...site, heic: null })).toContain('does not contain: heic.');
});
