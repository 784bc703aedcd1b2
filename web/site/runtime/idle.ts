/** Calls back when the browser has nothing better to do, after two seconds at the latest. WebKit has no such callback. */
export function whenIdle(callback: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => callback(), { timeout: 2000 });
  else setTimeout(callback);
}
