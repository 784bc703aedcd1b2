// The effects of a navigation after the page was rendered: language, title and description of the document, scroll
// position and focus.

import { useLayoutEffect, useRef } from 'react';
import type { Readable } from '../../app/state/signal.ts';
import { useSignal } from '../../app/use-signal.ts';
import { useWords } from '../../i18n/index.ts';
import { canonicalUrl, describePage } from '../describe-page.ts';
import { LOCALES } from '../locales.ts';
import type { CurrentRoute } from '../runtime/navigation.ts';

/** Returns the element of the address's fragment. */
function named(href: string): HTMLElement | null {
  const fragment = href.split('#')[1];
  return fragment === undefined || fragment === '' ? null : document.getElementById(fragment);
}

function scrollFor({ href, arrival }: CurrentRoute): void {
  if (arrival.by !== 'link' && arrival.scrollTo !== null) return window.scrollTo(0, arrival.scrollTo);
  const target = named(href);
  if (target !== null) return target.scrollIntoView();
  if (arrival.by === 'link') window.scrollTo(0, 0);
}

/**
 * Focuses the fragment's element, or `<main>` if the page is another one. A change of language on the same page keeps
 * the focus.
 */
function focusFor(route: CurrentRoute, before: CurrentRoute): void {
  const target = named(route.href);
  if (target !== null) {
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    return target.focus({ preventScroll: true });
  }
  if (route.page.data.page === before.page.data.page) return;
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

export function RouteEffects({ route }: { readonly route: Readable<CurrentRoute> }) {
  const { t } = useWords();
  const here = useSignal(route);
  const before = useRef(here);
  const { data, locale } = here.page;

  useLayoutEffect(() => {
    const { title, description } = describePage(data.page, t);
    document.documentElement.lang = locale;
    document.documentElement.dir = LOCALES[locale].direction;
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
    document.querySelector('link[rel="canonical"]')?.setAttribute('href', canonicalUrl(data.path));
  }, [data, locale, t]);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = here;
    if (here.step === last.step && here !== last) return; // the same page in another language
    scrollFor(here);
    if (here !== last) focusFor(here, last);
  }, [here]);
  return null;
}
