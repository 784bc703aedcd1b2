// A deployment that shares its domain with others and has all that an owner may configure. tests/site/other.test.ts
// builds it.

import { type SiteConfig, site as usual } from '../../web/site/config.ts';

export const site: SiteConfig = {
  ...usual,
  domain: 'tools.example',
  basePath: '/resize',
  contact: 'help@tools.example',
  operator: 'The Tool Makers',
  host: { name: 'Example Hosting', logDays: 14 },
  analytics: { id: 'T-42', collect: '/collect' },
};

export const origin = `https://${site.domain}`;
