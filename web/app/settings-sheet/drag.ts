// The gesture that closes the sheet: its head is dragged down.

/** The distance in pixels after which the sheet closes. */
const FAR = 96;

/** The speed in pixels per millisecond at which it closes after a shorter distance. */
const FAST = 0.5;

/** Handles the gesture until the returned function is called. */
export function closeByDrag(head: HTMLElement, close: () => void): () => void {
  const sheet = head.parentElement;
  let start: { readonly y: number; readonly time: number } | null = null;
  const show = (distance: number) => sheet?.style.setProperty('--dragged', `${Math.max(0, distance)}px`);
  const down = (event: PointerEvent) => {
    if (!event.isPrimary || (event.target instanceof Element && event.target.closest('button') !== null)) return;
    start = { y: event.clientY, time: event.timeStamp };
    head.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (start !== null) show(event.clientY - start.y);
  };
  const up = (event: PointerEvent) => {
    if (start === null) return;
    const distance = event.clientY - start.y;
    const isFast = distance / (event.timeStamp - start.time) > FAST && distance > FAR / 4;
    start = null;
    show(0);
    if (event.type === 'pointerup' && (distance > FAR || isFast)) close();
  };
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  for (const [type, listener] of Object.entries(listeners)) head.addEventListener(type, listener as EventListener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) head.removeEventListener(type, listener as EventListener);
    sheet?.style.removeProperty('--dragged');
  };
}
