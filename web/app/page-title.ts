/**
 * Sets the document's title until the returned function is called. If the site sets another title in the meantime, for
 * another page or language, that title stays.
 */
export function overrideTitle(document: { title: string }, title: string): () => void {
  const before = document.title;
  document.title = title;
  return () => {
    if (document.title === title) document.title = before;
  };
}
