// Scrolls an opened card of the settings into view. Its fields may be loaded after it has opened, so it grows.

/** The time in milliseconds in which the fields of a card are expected. */
const GROWS = 2000;

/** What the user does next ends the scrolling. */
const ENDS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Keeps the card in view while it grows. */
export function revealCard(card: HTMLDetailsElement): void {
  // It calls the function for the first time, too.
  const observer = new ResizeObserver(() => {
    if (card.open) card.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(card);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const event of ENDS) window.removeEventListener(event, end);
  };
  const timer = setTimeout(end, GROWS);
  for (const event of ENDS) window.addEventListener(event, end);
}
