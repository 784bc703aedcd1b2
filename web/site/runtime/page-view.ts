// Counts page views, where the owner has configured an id: the path and the language, nothing else. Without an id, or
// where the reader asks not to be followed, it does nothing.

import type { Analytics } from '../config.ts';
import type { Locale } from '../locales.ts';

export interface PageView {
  readonly path: string;
  readonly locale: Locale;
}

export interface PageViewOptions {
  readonly analytics: Analytics | null;
  /** Do Not Track or Global Privacy Control. */
  readonly isRefused: boolean;
  /** A GET request without a body whose answer does not matter. */
  readonly send: (url: string) => void;
}

export function asksForPrivacy(navigator: Navigator): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

export function pageViewHook({ analytics, isRefused, send }: PageViewOptions): (view: PageView) => void {
  if (analytics === null || isRefused) return () => undefined;
  return ({ path, locale }) => {
    send(`${analytics.collect}?${new URLSearchParams({ id: analytics.id, path, locale })}`);
  };
}
