// The time that a run still needs, estimated from the images that are finished. The shown time is rounded, and it only
// rises if the estimate is much longer, so that it does not jump to and fro.

export type TimeLeft =
  | { readonly unit: 'minutes' | 'seconds'; readonly count: number }
  /** Less than ten seconds. */
  | { readonly unit: 'moments' };

/** The number of finished images before which there is no estimate. */
const MIN_FINISHED = 10;

/** How many times longer than the shown time an estimate must be to replace it. */
const MAX_DELAY = 1.25;

export class TimeLeftEstimate {
  #startedAt: number;
  #done = 0;
  #shown = Number.POSITIVE_INFINITY;

  /** `now` is in milliseconds. */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /**
   * Returns the time left after `done` of `total` images; parts of images count as fractions. Returns null as long as
   * there is no estimate.
   */
  update(now: number, done: number, total: number): TimeLeft | null {
    // Another run has begun.
    if (done < this.#done - 1) {
      this.#startedAt = now;
      this.#shown = Number.POSITIVE_INFINITY;
    }
    this.#done = done;
    if (done < MIN_FINISHED) return null;
    const estimate = ((now - this.#startedAt) / done) * (total - done);
    const rounded = roundUp(estimate / 1000);
    if (rounded < this.#shown || estimate / 1000 > this.#shown * MAX_DELAY) this.#shown = rounded;
    return inUnit(this.#shown);
  }
}

/** Rounds up to whole minutes, and below a minute to tens of seconds. */
function roundUp(seconds: number): number {
  const step = seconds > 60 ? 60 : 10;
  return Math.ceil(seconds / step) * step;
}

function inUnit(seconds: number): TimeLeft {
  if (seconds >= 60) return { unit: 'minutes', count: seconds / 60 };
  return seconds > 10 ? { unit: 'seconds', count: seconds } : { unit: 'moments' };
}
