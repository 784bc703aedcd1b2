import { createContext, useContext } from 'react';
import type { Session } from './state/session.ts';

export const SessionContext = createContext<Session | null>(null);

/** The session of the resizer that the component is part of. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('a component of the resizer is used outside of its SessionContext');
  return session;
}
