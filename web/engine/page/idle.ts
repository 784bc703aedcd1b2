// Work that can wait until the page has loaded and is idle.

/** Long enough for the first paint, where a browser cannot say that it is idle. */
const QUIET_MS = 500;

/** A page that is always busy still gets its turn. */
const LATEST_MS = 2000;

/** Calls back once the page has loaded and is idle. */
export function whenIdle(then: () => void): void {
  if (document.readyState === 'complete') soon(then);
  else addEventListener('load', () => soon(then), { once: true });
}

function soon(then: () => void): void {
  // WebKit has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => then(), { timeout: LATEST_MS });
  else setTimeout(then, QUIET_MS);
}
