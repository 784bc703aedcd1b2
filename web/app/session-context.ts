// How components reach the session.

import { createContext, useContext } from 'react';
import type { Session } from './state/session.ts';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('a component of the resizer stands outside of its session');
  return session;
}
