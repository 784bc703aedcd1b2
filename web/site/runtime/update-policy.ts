// The rule for a document that does not match the server's build. Without images it is left or reloaded, which loads
// the new build. With images it stays and shows the update notice. The rule acts once for each reason, so that a faulty
// deployment cannot cause endless reloads.

import type { SafeStorage } from '../../app/state/safe-storage.ts';

const RELOADED_KEY = 'reloaded-for-build';
const RECOVERED_KEY = 'recovered-at';

/** The messages of the bundlers and the three browser engines about a script or style sheet that cannot be loaded. */
const MISSING_PART_MESSAGES = [
  /loading (css )?chunk .*failed/i,
  /failed to fetch dynamically imported module/i,
  /error loading dynamically imported module/i,
  /importing a module script failed/i,
  /unable to preload css/i,
];

export function isMissingPart(reason: unknown): boolean {
  const message = reason instanceof Error ? reason.message : String(reason);
  return MISSING_PART_MESSAGES.some((pattern) => pattern.test(message));
}

export interface UpdatePolicyOptions {
  /** The build of this document. */
  readonly build: string;
  readonly session: SafeStorage;
  /** Whether leaving the document would lose images. */
  readonly hasImages: () => boolean;
  /** Whether a new service worker waits to take over. */
  readonly isWorkerWaiting: () => boolean;
  /** Makes the service worker delete its stored pages, which are old. */
  readonly dropPages: () => void;
  readonly announceUpdate: () => void;
  readonly leave: (href: string) => void;
  readonly reload: () => void;
}

export class UpdatePolicy {
  readonly #options: UpdatePolicyOptions;

  constructor(options: UpdatePolicyOptions) {
    this.#options = options;
  }

  /** Checks the build at the start: a cache may have returned an old document. */
  async checkAtStart(currentBuild: () => Promise<string | null>): Promise<void> {
    const { build, session, dropPages, reload } = this.#options;
    const current = await currentBuild();
    if (current === null) return;
    if (current === build) return session.remove(RELOADED_KEY);
    dropPages();
    this.#replaceDocument(() => {
      if (session.get(RELOADED_KEY) === null) this.#once(RELOADED_KEY, build, reload);
    });
  }

  /**
   * Leaves the document for a waiting service worker, which takes over only then. Called before a page is loaded.
   * @returns whether the document is left
   */
  leaveForWorker(href: string): boolean {
    const { isWorkerWaiting, hasImages, leave } = this.#options;
    if (!isWorkerWaiting() || hasImages()) return false;
    leave(href);
    return true;
  }

  /**
   * Leaves the document if the server has another build. Called after a page was loaded; `build` is null if unknown.
   * @returns whether the document is left
   */
  leaveForBuild(href: string, build: string | null): boolean {
    if (build === null || build === this.#options.build) return false;
    this.#options.dropPages();
    return this.#replaceDocument(() => this.#options.leave(href));
  }

  /** Handles a rejected promise. A missing part usually means that a deployment has replaced it. */
  recover(reason: unknown, href: string): void {
    if (!isMissingPart(reason)) return;
    this.#replaceDocument(() => {
      if (this.#options.session.get(RECOVERED_KEY) !== href) {
        this.#once(RECOVERED_KEY, href, () => this.#options.leave(href));
      }
    });
  }

  /** Allows recovery from the next missing part. Called after a page was reached. */
  pageReached(): void {
    this.#options.session.remove(RECOVERED_KEY);
  }

  #replaceDocument(replace: () => void): boolean {
    if (this.#options.hasImages()) {
      this.#options.announceUpdate();
      return false;
    }
    replace();
    return true;
  }

  /** Stores that it acts, then acts. Without storage a second time could not be prevented, so it does not act. */
  #once(key: string, value: string, act: () => void): void {
    if (this.#options.session.set(key, value)) act();
  }
}
