// The height of the column with the settings beside the list: it ends above the end of the window, also before the page
// has been scrolled. Otherwise the buttons at its end would cover the last settings. The height does not change while the
// page scrolls, because what is below the column would move.

/** The least height in pixels, for very low windows. */
const LEAST = 420;

/** Watches the window until the returned function is called. */
export function fitColumn(): () => void {
  const column = document.querySelector('[data-bar]')?.parentElement;
  const workspace = column?.parentElement;
  if (column == null || workspace == null) return () => {};
  const adjust = () => {
    // The column sticks at this distance from the start of the window.
    const least = Number.parseFloat(getComputedStyle(column).insetBlockStart) || 0;
    const top = Math.min(workspace.getBoundingClientRect().top + window.scrollY, window.innerHeight - LEAST);
    column.style.setProperty('--column-top', `${Math.max(least, top)}px`);
  };
  adjust();
  window.addEventListener('resize', adjust);
  return () => {
    window.removeEventListener('resize', adjust);
    column.style.removeProperty('--column-top');
  };
}
