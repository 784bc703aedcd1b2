// Announcements for screen readers. The region is in the page from the start, because screen readers often skip a
// region that is added together with its text. The text is removed after a while, because who reads the page to its end
// would meet it there.

import { useEffect, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import type { Announcement } from '../state/notifications.ts';
import type { Readable } from '../state/signal.ts';
import { useSignal } from '../use-signal.ts';
import { hidden } from './hidden.ts';

const SHOWN_MILLISECONDS = 20_000;

interface LiveRegionProps {
  readonly announcement: Readable<Announcement>;
  readonly urgency: 'polite' | 'assertive';
}

export function LiveRegion({ announcement, urgency }: LiveRegionProps) {
  const { joined } = useWords();
  const current = useSignal(announcement);
  const [over, setOver] = useState(current);
  useEffect(() => {
    const timer = setTimeout(() => setOver(current), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [current]);
  const { messages, turn } = current;
  // Screen readers skip an unchanged text; an invisible difference makes them read it again.
  const difference = turn % 2 === 0 ? '' : '\u00a0';
  return (
    <div className={hidden} role={urgency === 'polite' ? 'status' : 'alert'} aria-live={urgency} aria-atomic="true">
      {messages.length === 0 || over === current ? '' : joined(...messages) + difference}
    </div>
  );
}
