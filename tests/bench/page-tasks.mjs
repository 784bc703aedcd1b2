// @ts-check
// What a page does while a script uses it, in Chromium: the tasks of its main thread, its workers, and the time from each
// interaction to the next paint.

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('playwright').CDPSession} CDPSession */
/** @typedef {{ wall: number, processor: number }} Task milliseconds; `processor` is that of the main thread alone */
/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts?: number, dur?: number, tdur?: number, args?: any }} TraceEvent */

const categories = ['__metadata', 'disabled-by-default-devtools.timeline', 'devtools.timeline'];

/**
 * Returns the trace of `work`.
 * @param {CDPSession} session
 * @param {() => Promise<unknown>} work
 * @returns {Promise<TraceEvent[]>}
 */
async function traceOf(session, work) {
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(.../** @type {any[]} */ (value)));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: categories },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return events;
}

/**
 * Returns the tasks of the pages' main threads, the longest first. Processor time is the measure: beside workers and other
 * programs, the clock also counts the time in which the thread waits for a processor.
 * @param {readonly TraceEvent[]} events
 * @param {(event: TraceEvent) => boolean} [counts]
 * @returns {Task[]}
 */
function tasksIn(events, counts = () => true) {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const isOfPage = (/** @type {TraceEvent} */ { pid, tid }) => threads.some((t) => t.pid === pid && t.tid === tid);
  return events
    .filter((event) => event.ph === 'X' && event.name === 'RunTask' && isOfPage(event) && counts(event))
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1000, processor: tdur / 1000 }))
    .sort((one, other) => other.processor - one.processor);
}

/**
 * Returns the tasks while `work` uses the page.
 * @param {Page} page
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Task[]>}
 */
export async function tasksDuring(page, work) {
  const session = await page.context().newCDPSession(page);
  const events = await traceOf(session, work);
  await session.detach();
  return tasksIn(events);
}

/**
 * Opens an address on a processor that is slowed down, and returns the tasks from the first paint of the text on.
 * @param {Page} page a new page
 * @param {string} url
 * @param {{ slowdown: number, settled: () => Promise<unknown> }} options
 * @returns {Promise<Task[]>}
 */
export async function tasksOfLoad(page, url, { slowdown, settled }) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const events = await traceOf(session, async () => {
    await page.goto(url);
    await settled();
  });
  const paint = events.find(({ name }) => name === 'firstContentfulPaint');
  if (paint === undefined) throw new Error(`${url}: nothing was painted`);
  return tasksIn(events, ({ pid, ts = 0, dur = 0 }) => pid === paint.pid && ts + dur > (paint.ts ?? 0));
}

/**
 * Counts the workers of a page from now on.
 * @param {Page} page
 * @returns {{ started: number, most: number }} `most` at the same time; both numbers grow
 */
export function countWorkers(page) {
  const counts = { started: 0, most: page.workers().length };
  page.on('worker', () => {
    counts.started += 1;
    counts.most = Math.max(counts.most, page.workers().length);
  });
  return counts;
}

/** @typedef {{ duration: number, what: string }} Interaction milliseconds; the event and the name of its element */

/** Lets the page note its interactions: the time from the input to the next paint (Event Timing). */
function noteInteractions() {
  /** @type {Map<number, Interaction>} */
  const interactions = new Map();
  Object.assign(window, { notedInteractions: interactions });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId = 0, duration, name, target } = /** @type {PerformanceEventTiming} */ (entry);
      if (interactionId === 0 || duration <= (interactions.get(interactionId)?.duration ?? 0)) continue;
      const element = target instanceof Element ? target.closest('button, summary, input') : null;
      interactions.set(interactionId, {
        duration,
        what: `${name} ${element?.ariaLabel ?? element?.textContent ?? ''}`,
      });
    }
  }).observe(/** @type {any} */ ({ type: 'event', durationThreshold: 16 }));
}

/**
 * Observes the interactions of a page that is opened later.
 * @param {Page} page
 * @returns {Promise<() => Promise<Interaction[]>>} returns the interactions so far, the shortest first, in steps of 8 ms;
 *   the browser does not report those below 16 ms, which count as 16
 */
export async function observeInteractions(page) {
  await page.addInitScript(noteInteractions);
  return async () => {
    const { noted, count } = await page.evaluate(() => ({
      noted: /** @type {Interaction[]} */ ([.../** @type {any} */ (window).notedInteractions.values()]),
      count: /** @type {number} */ (/** @type {any} */ (performance).interactionCount),
    }));
    const short = Array.from({ length: Math.max(0, count - noted.length) }, () => ({ duration: 16, what: '' }));
    return [...short, ...noted].sort((one, other) => one.duration - other.duration);
  };
}
