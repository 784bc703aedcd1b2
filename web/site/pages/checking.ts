import { Signal } from '../../app/state/signal.ts';

/** Whether the box "Check it yourself" is open. */
export const isChecking = new Signal(false);
