// How much of the bar sticks to the bottom of a small screen: the whole bar where it covers at most a third of the
// screen, else only the summary of the settings at its top, else nothing. With large text or in landscape, the bar would
// cover the form. Elements that get the focus keep the covered height as a scroll margin. (A scroll padding of the page would
// scroll it when a button of the bar gets the focus.)

const LIMIT = 1 / 3;

/** Watches the bar until the returned function is called. */
export function limitBarHeight(): () => void {
  const bar = document.querySelector<HTMLElement>('[data-bar]');
  if (bar === null) return () => {};
  const narrow = window.matchMedia('(width < 60rem)');
  const measure = () => {
    const most = screenHeight() * LIMIT;
    const summary = summaryHeight(bar);
    const part = bar.offsetHeight <= most ? '' : summary > 0 && summary <= most ? 'summary' : 'tall';
    const covered = narrow.matches ? { '': bar.offsetHeight, summary, tall: 0 }[part] : 0;
    bar.dataset['bar'] = part;
    document.documentElement.style.setProperty('--bar-covers', `${covered}px`);
    bar.style.setProperty('--below-summary', `${bar.offsetHeight - summary}px`);
  };
  // It calls `measure` for the first time, too.
  const observer = new ResizeObserver(measure);
  observer.observe(bar);
  window.addEventListener('resize', measure);
  window.visualViewport?.addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', measure);
    window.visualViewport?.removeEventListener('resize', measure);
  };
}

/** Returns the height of the screen without an on-screen keyboard. A page that is zoomed in counts as a whole. */
function screenHeight(): number {
  const { visualViewport, innerHeight } = window;
  return visualViewport === null ? innerHeight : visualViewport.height * visualViewport.scale;
}

/** Returns the height of the bar's upper part with the summary of the settings; 0 without a summary. */
function summaryHeight(bar: HTMLElement): number {
  const summary = bar.querySelector('[data-summary]');
  if (summary === null) return 0;
  const { top, bottom } = summary.getBoundingClientRect();
  const above = top - bar.getBoundingClientRect().top;
  // A part of the padding below it, so that nothing of the buttons shows.
  return Math.ceil(above + bottom - top + above / 3);
}
