// The document's title is lent out: the site owns it, and sets another one when the reader goes to another page or
// language. What is given back must not undo that.

/** Sets the title until the returned function is called. */
export function borrowTitle(document: { title: string }, title: string): () => void {
  const before = document.title;
  document.title = title;
  return () => {
    if (document.title === title) document.title = before;
  };
}
