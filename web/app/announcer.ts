// The announcer of runs, with the messages that it announces.

import './with-later-messages.tsx';

export { RunAnnouncer } from './state/run-announcer.ts';
