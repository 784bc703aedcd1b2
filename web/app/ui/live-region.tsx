// Announcements for screen readers. The region is in the page from the start, because screen readers often skip a
// region that is added together with its text.

import { useWords } from '../../i18n/index.ts';
import type { Announcement } from '../state/notifications.ts';
import type { Readable } from '../state/signal.ts';
import { useSignal } from '../use-signal.ts';
import { hidden } from './hidden.ts';

interface LiveRegionProps {
  readonly announcement: Readable<Announcement>;
  readonly urgency: 'polite' | 'assertive';
}

export function LiveRegion({ announcement, urgency }: LiveRegionProps) {
  const { joined } = useWords();
  const { messages, turn } = useSignal(announcement);
  // Screen readers skip an unchanged text; an invisible difference makes them read it again.
  const difference = turn % 2 === 0 ? '' : '\u00a0';
  return (
    <div className={hidden} role={urgency === 'polite' ? 'status' : 'alert'} aria-live={urgency} aria-atomic="true">
      {messages.length === 0 ? '' : joined(...messages) + difference}
    </div>
  );
}
