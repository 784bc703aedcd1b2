// Tells when elements come into view, all through one observer.

export function createVisibility(): (element: Element, seen: () => () => void) => () => void {
  const watched = new Map<Element, { readonly seen: () => () => void; gone: () => void }>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const entry = watched.get(target);
      if (entry === undefined) continue;
      entry.gone();
      entry.gone = isIntersecting ? entry.seen() : () => undefined;
    }
  });
  return (element, seen) => {
    watched.set(element, { seen, gone: () => undefined });
    observer.observe(element);
    return () => {
      observer.unobserve(element);
      watched.get(element)?.gone();
      watched.delete(element);
    };
  };
}
