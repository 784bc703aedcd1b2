// Observes which elements are visible with one shared IntersectionObserver: creating a thousand takes seconds.

type Listener = (visible: boolean) => void;

export class Visibility {
  readonly #margin: string;
  readonly #listeners = new Map<Element, Listener>();
  #observer: IntersectionObserver | null = null;

  /** Elements within `margin` of the screen count as visible. */
  constructor(margin = '0px') {
    this.#margin = margin;
  }

  /** Calls the listener when the element becomes visible or invisible, until the returned function is called. */
  watch(element: Element, listener: Listener): () => void {
    // Created with the first element: the build that renders the page has no IntersectionObserver.
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#listeners.get(target)?.(isIntersecting);
      },
      { rootMargin: this.#margin },
    );
    const observer = this.#observer;
    this.#listeners.set(element, listener);
    observer.observe(element);
    return () => {
      this.#listeners.delete(element);
      observer.unobserve(element);
    };
  }
}
