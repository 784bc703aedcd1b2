// Tells a screen reader what the eye sees: how many files came, how the run goes, how it ended. Speaks
// seldom: during a run at every quarter, and never within 15 seconds of the last word.

import type { Message } from '../../i18n/messages.ts';
import { stageOf } from './counts.ts';
import type { Notifications } from './notifications.ts';
import type { Status } from './queue.ts';
import type { RunState } from './run.ts';
import { outcomeMessages } from './status-messages.ts';

const QUIET_MILLISECONDS = 15_000;
const QUARTER = 0.25;

/** Also when nobody has seen it begin: where everything is kept, a run ends in the moment in which it starts. */
function hasEnded(last: RunState, next: RunState): boolean {
  return last.state === 'running' || (next.state === 'finished' && next !== last);
}

export class RunAnnouncer {
  readonly #notifications: Notifications;
  readonly #now: () => number;
  #last: Status;
  /** Files in the list when the last header had been read. */
  #settled: number;
  #spoken = { at: 0, share: 0 };

  /** `now` answers milliseconds. */
  constructor(notifications: Notifications, now: () => number, first: Status) {
    this.#notifications = notifications;
    this.#now = now;
    this.#last = first;
    this.#settled = first.counts.total;
  }

  /** To be called with every new status. */
  onStatus(next: Status): void {
    const last = this.#last;
    this.#last = next;
    if (next.run.state === 'running') this.#follow(last.run, next.run);
    else if (hasEnded(last.run, next.run)) this.#conclude(next);
    else if (last.counts.reading > 0 && next.counts.reading === 0) this.#arrive(next);
    else if (stageOf(next.counts, next.run) === 'stale' && stageOf(last.counts, last.run) !== 'stale') {
      this.#notifications.announce({ key: 'status.stale' });
    }
    if (next.counts.reading === 0) this.#settled = next.counts.total;
  }

  #follow(last: RunState, { finished, total }: RunState & { state: 'running' }): void {
    if (last.state !== 'running') {
      this.#spoken = { at: this.#now(), share: 0 };
      this.#notifications.announce({ key: 'status.running.start', values: { total } });
      return;
    }
    const share = finished / total;
    if (share - this.#spoken.share < QUARTER || this.#now() - this.#spoken.at < QUIET_MILLISECONDS) return;
    this.#spoken = { at: this.#now(), share };
    this.#notifications.announce({ key: 'status.running.progress', values: { done: finished, total } });
  }

  #conclude(next: Status): void {
    const messages = outcomeMessages(next);
    if (next.counts.failed > 0) this.#notifications.alert(...messages);
    else this.#notifications.announce(...messages);
  }

  #arrive({ counts }: Status): void {
    const count = counts.total - this.#settled;
    const added: Message[] = count > 0 ? [{ key: 'status.added', values: { count } }] : [];
    const unusable: Message[] =
      counts.unusable > 0 ? [{ key: 'status.unusable', values: { count: counts.unusable } }] : [];
    this.#notifications.announce(...added, ...unusable);
  }
}
