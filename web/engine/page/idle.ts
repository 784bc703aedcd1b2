// Delays work until the page has loaded and is idle.

/** The delay in browsers without requestIdleCallback: long enough for the first paint. */
const QUIET_MS = 500;

/** The longest delay, for a page that is never idle. */
const LATEST_MS = 2000;

/** Calls the function after the page has loaded and is idle. */
export function whenIdle(then: () => void): void {
  if (document.readyState === 'complete') soon(then);
  else addEventListener('load', () => soon(then), { once: true });
}

function soon(then: () => void): void {
  // WebKit has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => then(), { timeout: LATEST_MS });
  else setTimeout(then, QUIET_MS);
}
