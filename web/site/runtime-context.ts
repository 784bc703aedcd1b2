// How components reach the runtime. There is none while the build renders a page, and none before it comes alive.

import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Readable } from '../app/state/signal.ts';
import type { Navigation } from './runtime/navigation.ts';
import type { OfflineState } from './runtime/worker-registration.ts';

export interface Runtime {
  readonly navigation: Navigation;
  /** A new version is there, and images are not yet saved. */
  readonly updateReady: Readable<boolean>;
  readonly offline: Readable<OfflineState>;
  readonly reload: () => void;
  /** A link has come into view; the returned function tells that it has gone. */
  readonly seen: (href: string) => () => void;
  /** The pointer is on a link. */
  readonly hovered: (href: string) => void;
}

export const RuntimeContext = createContext<Runtime | null>(null);

const never = () => () => undefined;

/** Null in the first drawing as well, which must be what the HTML says. */
export function useRuntime(): Runtime | null {
  const runtime = useContext(RuntimeContext);
  const alive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return alive ? runtime : null;
}
