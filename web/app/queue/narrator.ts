// Tells a screen reader what the eye sees: how many files came, how the run goes, how it ended. Speaks
// seldom: during a run at every quarter, and never within 15 seconds of the last word.

import type { Saying } from '../../i18n/index.ts';
import type { Voice } from '../voice.ts';
import { outcomeSayings } from './outcome.ts';
import type { Status } from './queue.ts';
import { type Run, stageOf } from './tally.ts';

const QUIET_MILLISECONDS = 15_000;
const QUARTER = 0.25;

/** Also when nobody has seen it begin: where everything is kept, a run ends in the moment in which it starts. */
function hasEnded(last: Run, next: Run): boolean {
  return last.state === 'running' || (next.state === 'finished' && next !== last);
}

export class Narrator {
  readonly #voice: Voice;
  readonly #now: () => number;
  #last: Status;
  /** Files in the list when the last header had been read. */
  #settled: number;
  #spoken = { at: 0, share: 0 };

  /** `now` answers milliseconds. */
  constructor(voice: Voice, now: () => number, first: Status) {
    this.#voice = voice;
    this.#now = now;
    this.#last = first;
    this.#settled = first.tally.total;
  }

  /** To be called with every new status. */
  hear(next: Status): void {
    const last = this.#last;
    this.#last = next;
    if (next.run.state === 'running') this.#follow(last.run, next.run);
    else if (hasEnded(last.run, next.run)) this.#conclude(next);
    else if (last.tally.reading > 0 && next.tally.reading === 0) this.#arrive(next);
    else if (stageOf(next.tally, next.run) === 'stale' && stageOf(last.tally, last.run) !== 'stale') {
      this.#voice.announce({ key: 'status.stale' });
    }
    if (next.tally.reading === 0) this.#settled = next.tally.total;
  }

  #follow(last: Run, { finished, total }: Run & { state: 'running' }): void {
    if (last.state !== 'running') {
      this.#spoken = { at: this.#now(), share: 0 };
      this.#voice.announce({ key: 'status.running.start', values: { total } });
      return;
    }
    const share = finished / total;
    if (share - this.#spoken.share < QUARTER || this.#now() - this.#spoken.at < QUIET_MILLISECONDS) return;
    this.#spoken = { at: this.#now(), share };
    this.#voice.announce({ key: 'status.running.progress', values: { done: finished, total } });
  }

  #conclude(next: Status): void {
    const sayings = outcomeSayings(next);
    if (next.tally.failed > 0) this.#voice.alert(...sayings);
    else this.#voice.announce(...sayings);
  }

  #arrive({ tally }: Status): void {
    const count = tally.total - this.#settled;
    const added: Saying[] = count > 0 ? [{ key: 'status.added', values: { count } }] : [];
    const unusable: Saying[] =
      tally.unusable > 0 ? [{ key: 'status.unusable', values: { count: tally.unusable } }] : [];
    this.#voice.announce(...added, ...unusable);
  }
}
