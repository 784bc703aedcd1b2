// Components in chunks of their own. If a chunk fails to load, a message with a Try again button is shown; React.lazy
// alone would keep the first failure permanently.

import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useWords } from '../../i18n/index.ts';
import { type Readable, Signal } from '../state/signal.ts';
import { useSignal } from '../use-signal.ts';
import { Button } from './button.tsx';
import styles from './lazy-chunk.module.css';

/** The error of a chunk that failed to load, as opposed to an error of the component in it. */
class ChunkNotLoaded extends Error {}

export interface LazyChunk {
  /** Loads the chunk ahead of time. Rejects if it fails; rendering the chunk then tries again. */
  readonly preload: () => Promise<unknown>;
  /** The component of the last attempt to load the chunk, and the number of that attempt. */
  readonly attempt: Readable<{ readonly number: number; readonly Part: ComponentType }>;
  readonly retry: () => void;
}

/** Makes a chunk; `load` imports its component. */
export function lazyChunk(load: () => Promise<ComponentType>): LazyChunk {
  const attempt = new Signal({ number: 0, Part: lazyPart(load) });
  const retry = () => attempt.set({ number: attempt.get().number + 1, Part: lazyPart(load) });
  return { preload: load, attempt, retry };
}

interface ChunkProps {
  readonly of: LazyChunk;
  /** Shown until the chunk has loaded. */
  readonly fallback: ReactNode;
}

export function Chunk({ of, fallback }: ChunkProps) {
  const { number, Part } = useSignal(of.attempt);
  return (
    <ChunkBoundary key={number} onRetry={of.retry}>
      <Suspense fallback={fallback}>
        <Part />
      </Suspense>
    </ChunkBoundary>
  );
}

function lazyPart(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      throw new ChunkNotLoaded('a chunk failed to load', { cause: error });
    }
  });
}

interface ChunkBoundaryProps {
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

class ChunkBoundary extends Component<ChunkBoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state as { readonly error: unknown };
    if (error === null) return this.props.children;
    if (error instanceof ChunkNotLoaded) return <NotLoaded onRetry={this.props.onRetry} />;
    throw error;
  }
}

function NotLoaded({ onRetry }: Pick<ChunkBoundaryProps, 'onRetry'>) {
  const { t, rich } = useWords();
  return (
    <div className={styles.message} role="alert">
      <p>{rich({ key: 'failure.unloaded' })}</p>
      <Button size="small" icon="retry" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
