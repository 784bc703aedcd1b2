// The engine for a page that may not need it: its code is loaded when the page is idle, or with the first image. Such a
// page imports types from index.ts and values from here, because a value from index.ts would load the code.

import { defaultMemory } from './page/device.ts';
import type { Engine } from './page/engine.ts';
import { whenIdle } from './page/idle.ts';
import type { Outcome } from './shared/failure.ts';

export { isFailed } from './shared/failure.ts';

/**
 * Makes an engine like `createEngine`, in its own chunk. If the chunk does not load, images fail with `part-missing`.
 */
export function createLazyEngine(): Engine {
  const engine = new LazyEngine();
  whenIdle(() => void engine.warm());
  return engine;
}

class LazyEngine implements Engine {
  readonly memory = defaultMemory();
  #loading: Promise<Engine> | undefined;
  #isDisposed = false;

  readonly probe: Engine['probe'] = (...args) => this.#with((engine) => engine.probe(...args));
  readonly run: Engine['run'] = (...args) => this.#with((engine) => engine.run(...args));
  readonly rewriteMetadata: Engine['rewriteMetadata'] = (...args) =>
    this.#with((engine) => engine.rewriteMetadata(...args));

  async warm(): Promise<void> {
    // If the chunk does not load, the first image reports the failure.
    await this.#load().then(
      (engine) => engine.warm(),
      () => undefined,
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#loading?.then((engine) => engine.dispose());
  }

  async #with<T extends object>(use: (engine: Engine) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    let engine: Engine;
    try {
      engine = await this.#load();
    } catch (error) {
      return { failure: { code: 'part-missing', detail: String(error) } };
    }
    return use(engine);
  }

  /** Loads the engine. A failure is not cached, so the next image tries again. */
  #load(): Promise<Engine> {
    this.#loading ??= import('./page/engine.ts').then(
      ({ createEngine }) => {
        const engine = createEngine({ memory: this.memory, warmWhenIdle: false });
        if (this.#isDisposed) engine.dispose();
        return engine;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
