// When the page has nothing better to do.

/** Long enough after loading for the first paint, where a browser cannot say that it is idle. */
const QUIET_MS = 500;

/** Calls back once the page has loaded and is idle. */
export function whenIdle(then: () => void): void {
  if (document.readyState === 'complete') soon(then);
  else addEventListener('load', () => soon(then), { once: true });
}

function soon(then: () => void): void {
  // WebKit has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => then());
  else setTimeout(then, QUIET_MS);
}
