// The configuration of a deployment in a folder of its domain, with every option set. tests/site/other.test.ts builds
// it.

import { type SiteConfig, site as usual } from '../../web/site/config.ts';

export const site: SiteConfig = {
  ...usual,
  domain: 'tools.example',
  basePath: '/resize',
  contact: 'help@tools.example',
  operator: 'The Tool Makers',
  host: { name: 'Example Hosting', logDays: 14 },
  heic: 'device',
  analytics: { id: 'T-42', collect: '/collect' },
};

export const origin = `https://${site.domain}`;
