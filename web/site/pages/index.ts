// The imports of the page components, one chunk each.

import type { PageName } from '../page-data.ts';
import type { PageComponent } from '../runtime/loader.ts';

const IMPORTS: Readonly<Record<PageName, () => Promise<PageComponent>>> = {
  home: async () => (await import('./home.tsx')).Home,
  privacy: async () => (await import('./privacy.tsx')).Privacy,
  licences: async () => (await import('./licences.tsx')).Licences,
  'not-found': async () => (await import('./not-found.tsx')).NotFound,
  'server-error': async () => (await import('./server-error.tsx')).ServerError,
};

export function importPage(name: PageName): Promise<PageComponent> {
  return IMPORTS[name]();
}
