import { createContext, useContext } from 'react';
import type { Session } from './state/session.ts';

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the resizer that contains the component. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs a parent that provides SessionContext');
  return session;
}
