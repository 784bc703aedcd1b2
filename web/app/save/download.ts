// Hands a file to the browser's downloads.

import type { Package } from './archive.ts';

/** Browsers read the object URL after the click, on a slow disk much later: it lives for a minute. */
const URL_MILLISECONDS = 60_000;

export function download({ name, blob }: Package): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), URL_MILLISECONDS);
}
