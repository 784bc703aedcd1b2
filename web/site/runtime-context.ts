// The runtime for components. There is none while the build renders a page, nor before hydration.

import { createContext, useContext } from 'react';
import type { Readable } from '../app/state/signal.ts';
import { useHydrated } from '../app/ui/index.ts';
import type { Navigation } from './runtime/navigation.ts';
import type { OfflineState } from './service-worker-protocol.ts';

export interface Runtime {
  readonly navigation: Navigation;
  /** Whether a new version exists that a reload would bring; images in the page keep it from reloading by itself. */
  readonly updateReady: Readable<boolean>;
  readonly offline: Readable<OfflineState>;
  readonly reload: () => void;
  /** To be called when a link comes into view; the returned function when it leaves. */
  readonly linkShown: (href: string) => () => void;
  /** To be called when the pointer enters a link. */
  readonly linkHovered: (href: string) => void;
}

export const RuntimeContext = createContext<Runtime | null>(null);

/** Null in the first render too, which must equal the HTML. */
export function useRuntime(): Runtime | null {
  const runtime = useContext(RuntimeContext);
  return useHydrated() ? runtime : null;
}
