// A page of the site in its frame. The build renders it, and the browser hydrates it.

import { useEffect } from 'react';
import { useSignal } from '../app/use-signal.ts';
import { WordsProvider } from '../i18n/index.ts';
import { Frame } from './frame/frame.tsx';
import { RouteEffects } from './frame/route-effects.tsx';
import type { LoadedPage } from './runtime/loader.ts';
import { type Runtime, RuntimeContext } from './runtime-context.ts';

interface SitePageProps {
  readonly page: Pick<LoadedPage, 'data' | 'locale' | 'queries' | 'Component'>;
  readonly builtIn: number;
  readonly runtime?: Runtime;
}

export function SitePage({ page, builtIn, runtime }: SitePageProps) {
  const { data, locale, queries, Component } = page;
  return (
    <WordsProvider locale={locale} messages={queries.messages}>
      <Frame locale={locale} page={data.page} builtIn={builtIn}>
        <Component page={data} locale={locale} queries={queries} />
      </Frame>
      {runtime === undefined ? null : <RouteEffects route={runtime.navigation.route} />}
    </WordsProvider>
  );
}

/** The current page of the site in a browser. */
export function LiveSite({ runtime, builtIn }: { readonly runtime: Runtime; readonly builtIn: number }) {
  const { page } = useSignal(runtime.navigation.route);
  // The mark is the end of hydration for measurements.
  useEffect(() => void performance.mark('site:alive'), []);
  return (
    <RuntimeContext value={runtime}>
      <SitePage page={page} builtIn={builtIn} runtime={runtime} />
    </RuntimeContext>
  );
}
