import { Signal } from '../state/signal.ts';

/** Whether the list shows rows. It keeps those of an emptied list for a moment, out of sight, to remove them in groups. */
export const hasRows = new Signal(false);
