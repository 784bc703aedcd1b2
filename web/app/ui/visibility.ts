// Observes which elements are visible with one shared IntersectionObserver: creating a thousand takes seconds.

type Listener = (visible: boolean) => void;

/** The listeners of an element, and whether it is visible; null until the browser has told it. */
interface Watched {
  readonly listeners: Set<Listener>;
  visible: boolean | null;
}

export class Visibility {
  readonly #margin: string;
  readonly #watched = new Map<Element, Watched>();
  #observer: IntersectionObserver | null = null;

  /** Elements within `margin` of the screen count as visible. */
  constructor(margin = '0px') {
    this.#margin = margin;
  }

  /** Calls the listener when the element becomes visible or invisible, until the returned function is called. */
  watch(element: Element, listener: Listener): () => void {
    const watched = this.#watched.get(element) ?? this.#observe(element);
    watched.listeners.add(listener);
    if (watched.visible !== null) listener(watched.visible);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0) return;
      this.#watched.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #observe(element: Element): Watched {
    const watched = { listeners: new Set<Listener>(), visible: null };
    this.#watched.set(element, watched);
    // Created with the first element: the build that renders the page has no IntersectionObserver.
    this.#observer ??= new IntersectionObserver((entries) => this.#report(entries), { rootMargin: this.#margin });
    this.#observer.observe(element);
    return watched;
  }

  #report(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const watched = this.#watched.get(target);
      if (watched === undefined) continue;
      watched.visible = isIntersecting;
      for (const listener of [...watched.listeners]) listener(isIntersecting);
    }
  }
}
