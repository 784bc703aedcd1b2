// Announces the queue's events to screen readers: added files, and the start, progress and end of a run. Progress is
// announced at every quarter, but at most every 15 seconds.

import type { Message } from '../../i18n/messages.ts';
import { stageOf } from './counts.ts';
import type { Notifications } from './notifications.ts';
import type { Status } from './queue.ts';
import type { RunState } from './run.ts';
import { statusMessages } from './status-messages.ts';

const QUIET_MILLISECONDS = 15_000;
const QUARTER = 0.25;

/** Whether a run has ended. A run of kept files ends at once, so the state `running` is never observed. */
function hasEnded(last: RunState, next: RunState): boolean {
  return last.state === 'running' || (next.state === 'finished' && next !== last);
}

export class RunAnnouncer {
  readonly #notifications: Notifications;
  readonly #now: () => number;
  #last: Status;
  /** The number of files that have been announced. */
  #announcedFiles: number;
  #lastProgress = { at: 0, share: 0 };

  /** `now` returns milliseconds. */
  constructor(notifications: Notifications, now: () => number, first: Status) {
    this.#notifications = notifications;
    this.#now = now;
    this.#last = first;
    this.#announcedFiles = first.counts.total;
  }

  /** Handles a new status. Call this after every change. */
  onStatus(next: Status): void {
    const last = this.#last;
    this.#last = next;
    if (next.run.state === 'running') this.#announceProgress(last.run, next.run);
    else if (hasEnded(last.run, next.run)) this.#announceEnd(next);
    else if (last.counts.reading > 0 && next.counts.reading === 0) this.#announceAdded(next);
    else if (stageOf(next.counts, next.run) === 'stale' && stageOf(last.counts, last.run) !== 'stale') {
      this.#notifications.announce({ key: 'status.stale' });
    }
    if (next.counts.reading === 0) this.#announcedFiles = next.counts.total;
  }

  #announceProgress(last: RunState, { finished, total }: RunState & { state: 'running' }): void {
    if (last.state !== 'running') {
      this.#lastProgress = { at: this.#now(), share: 0 };
      this.#notifications.announce({ key: 'status.running.start', values: { total } });
      return;
    }
    const share = finished / total;
    if (share - this.#lastProgress.share < QUARTER || this.#now() - this.#lastProgress.at < QUIET_MILLISECONDS) return;
    this.#lastProgress = { at: this.#now(), share };
    this.#notifications.announce({ key: 'status.running.progress', values: { done: finished, total } });
  }

  #announceEnd(next: Status): void {
    const messages = statusMessages(next);
    if (next.counts.failed > 0) this.#notifications.alert(...messages);
    else this.#notifications.announce(...messages);
  }

  #announceAdded({ counts }: Status): void {
    const count = counts.total - this.#announcedFiles;
    const added: Message[] = count > 0 ? [{ key: 'status.added', values: { count } }] : [];
    const unusable: Message[] =
      counts.unusable > 0 ? [{ key: 'status.unusable', values: { count: counts.unusable } }] : [];
    this.#notifications.announce(...added, ...unusable);
  }
}
