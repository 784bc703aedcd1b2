// Counts page views by path and language if the owner has configured an id. It does nothing without an id or if the
// visitor refuses tracking.

import type { Analytics } from '../config.ts';
import type { Locale } from '../locales.ts';

export interface PageView {
  readonly path: string;
  readonly locale: Locale;
}

export interface PageViewOptions {
  readonly analytics: Analytics | null;
  /** Whether the visitor sends Do Not Track or Global Privacy Control. */
  readonly isRefused: boolean;
  /** Sends a GET request and ignores the answer. */
  readonly send: (url: string) => void;
}

export function refusesTracking(navigator: Navigator): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

export function pageViewHook({ analytics, isRefused, send }: PageViewOptions): (view: PageView) => void {
  if (analytics === null || isRefused) return () => undefined;
  return ({ path, locale }) => {
    send(`${analytics.collect}?${new URLSearchParams({ id: analytics.id, path, locale })}`);
  };
}
