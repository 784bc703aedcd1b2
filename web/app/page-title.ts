/**
 * Sets the document's title until the returned function is called. A title that the site has set meanwhile, for another
 * page or language, stays.
 */
export function overrideTitle(document: { title: string }, title: string): () => void {
  const before = document.title;
  document.title = title;
  return () => {
    if (document.title === title) document.title = before;
  };
}
