// The runtime as a React context. It is null during the build and before hydration.

import { createContext, useContext } from 'react';
import type { Readable } from '../app/state/signal.ts';
import { useHydrated } from '../app/ui/index.ts';
import type { Navigation } from './runtime/navigation.ts';
import type { OfflineState } from './service-worker-protocol.ts';

export interface Runtime {
  readonly navigation: Navigation;
  /** Whether a reload would bring a new version. The page does not reload itself while it has images. */
  readonly updateReady: Readable<boolean>;
  readonly offline: Readable<OfflineState>;
  readonly reload: () => void;
  /** Must be called when a link becomes visible; the returned function must be called when it becomes invisible. */
  readonly linkShown: (href: string) => () => void;
  /** Must be called when the pointer enters a link. */
  readonly linkHovered: (href: string) => void;
}

export const RuntimeContext = createContext<Runtime | null>(null);

/** Returns the runtime; null also in the first render, which must equal the HTML. */
export function useRuntime(): Runtime | null {
  const runtime = useContext(RuntimeContext);
  return useHydrated() ? runtime : null;
}
