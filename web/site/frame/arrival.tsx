// What happens on the screen when a page has been drawn: the document's head says so, the reader is at its top, at the
// part that the address names, or where he had read before; the keyboard starts at the page, not behind it.

import { useLayoutEffect, useRef } from 'react';
import type { Readable } from '../../app/state/signal.ts';
import { useSignal } from '../../app/use-signal.ts';
import { useWords } from '../../i18n/index.ts';
import { canonicalUrl, describePage } from '../describe-page.ts';
import type { Place } from '../runtime/navigation.ts';

/** The element that the fragment of an address names. */
function named(href: string): HTMLElement | null {
  const fragment = href.split('#')[1];
  return fragment === undefined || fragment === '' ? null : document.getElementById(fragment);
}

function scrollFor({ href, arrival }: Place): void {
  if (arrival.by !== 'link' && arrival.scrollTo !== null) return window.scrollTo(0, arrival.scrollTo);
  const target = named(href);
  if (target !== null) return target.scrollIntoView();
  if (arrival.by === 'link') window.scrollTo(0, 0);
}

/** The keyboard goes along to another page; another language of the same page leaves it where it is. */
function focusFor(place: Place, before: Place): void {
  const target = named(place.href);
  if (target !== null) {
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    return target.focus({ preventScroll: true });
  }
  if (place.page.data.page === before.page.data.page) return;
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

export function Arrival({ place }: { readonly place: Readable<Place> }) {
  const { t } = useWords();
  const here = useSignal(place);
  const before = useRef(here);
  const { data, locale } = here.page;

  useLayoutEffect(() => {
    const { title, description } = describePage(data.page, t);
    document.documentElement.lang = locale;
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
    document.querySelector('link[rel="canonical"]')?.setAttribute('href', canonicalUrl(data.path));
  }, [data, locale, t]);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = here;
    if (here.step === last.step && here !== last) return; // the same place in another language
    scrollFor(here);
    if (here !== last) focusFor(here, last);
  }, [here]);
  return null;
}
