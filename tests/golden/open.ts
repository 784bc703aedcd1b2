// Files of the golden table, in a browser.
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The absolute paths of the checkout and of the shared material. */
    folders: { root: string; shared: string };
  }
}

/**
 * Reads a file of the checkout or of the corpus; null if it is missing. Vite serves it: Vitest's `readFile` would send
 * megabytes as text through its connection.
 */
export async function open(file: string): Promise<Blob | null> {
  const { root, shared } = inject('folders');
  const place = file.startsWith('shared/') ? file.replace('shared', shared) : `${root}/${file}`;
  const response = await fetch(`/@fs${place.split('/').map(encodeURIComponent).join('/')}`);
  // A missing file may give a page instead of a status.
  const isFile = response.ok && response.headers.get('content-type') !== 'text/html';
  return isFile ? response.blob() : null;
}
