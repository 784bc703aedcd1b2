// The height of the column with the settings beside the list: it ends above the end of the window, also before the page
// has been scrolled. Otherwise the buttons at its end would cover the last settings.

/** The least height in pixels, for very low windows. */
const LEAST = 420;

/** Watches the column until the returned function is called. */
export function fitColumn(): () => void {
  const column = document.querySelector('[data-bar]')?.parentElement;
  if (column == null) return () => {};
  const adjust = () => {
    // The column sticks at this distance from the start of the window.
    const least = Number.parseFloat(getComputedStyle(column).insetBlockStart) || 0;
    const top = Math.max(least, column.getBoundingClientRect().top);
    column.style.setProperty('--column-top', `${Math.max(least, Math.min(top, window.innerHeight - LEAST))}px`);
  };
  adjust();
  window.addEventListener('scroll', adjust, { passive: true });
  window.addEventListener('resize', adjust);
  return () => {
    window.removeEventListener('scroll', adjust);
    window.removeEventListener('resize', adjust);
    column.style.removeProperty('--column-top');
  };
}
