// Whether the bar at the bottom of a small screen sticks there. With large text or in landscape it would cover the form,
// so above a third of the screen it stays in its place on the page.

/** Watches the bar until the returned function is called. */
export function limitBarHeight(): () => void {
  const bar = document.querySelector<HTMLElement>('[data-bar]');
  if (bar === null) return () => {};
  const measure = () => {
    bar.dataset['bar'] = bar.offsetHeight * 3 > window.innerHeight ? 'tall' : '';
  };
  // It calls `measure` for the first time, too.
  const observer = new ResizeObserver(measure);
  observer.observe(bar);
  window.addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', measure);
  };
}
