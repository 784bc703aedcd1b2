// Brings the part of the resizer that an empty page has no use for: once the page is idle, so that the page itself comes
// sooner. Whoever is quicker than that waits for it; a part that did not come is asked for again.

import { type Readable, Signal } from './state/signal.ts';

type Workbench = typeof import('./workbench.ts');

const cell = new Signal<Workbench | null>(null);

export const workbench: Readable<Workbench | null> = cell;

export async function fetchWorkbench(): Promise<Workbench> {
  const part = cell.get() ?? (await import('./workbench.ts'));
  cell.set(part);
  return part;
}
