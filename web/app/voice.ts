// What the page says without being asked: to screen readers through two live regions, and to everybody in a toast.

import type { Saying } from '../i18n/index.ts';
import { Cell, type Watchable } from './cell.ts';

export interface Announcement {
  readonly sayings: readonly Saying[];
  /** Changes with every announcement, so that the same words are spoken again. */
  readonly turn: number;
}

export interface Toast {
  readonly id: number;
  readonly saying: Saying;
  readonly tone: 'plain' | 'critical';
  readonly undo: boolean;
}

const SILENCE: Announcement = { sayings: [], turn: 0 };

export class Voice {
  readonly #polite = new Cell(SILENCE);
  readonly #assertive = new Cell(SILENCE);
  readonly #toasts = new Cell<readonly Toast[]>([]);
  #turns = 0;

  get polite(): Watchable<Announcement> {
    return this.#polite;
  }

  get assertive(): Watchable<Announcement> {
    return this.#assertive;
  }

  /** In the order in which they came: at most one that offers Undo, and one that does not. */
  get toasts(): Watchable<readonly Toast[]> {
    return this.#toasts;
  }

  announce(...sayings: readonly Saying[]): void {
    this.#polite.set({ sayings, turn: this.#turn() });
  }

  alert(...sayings: readonly Saying[]): void {
    this.#assertive.set({ sayings, turn: this.#turn() });
  }

  /** Shown for ten seconds, and announced. Takes the place of the last of its kind: no message ends an offer of Undo. */
  show(saying: Saying, { tone = 'plain', undo = false }: { tone?: Toast['tone']; undo?: boolean } = {}): void {
    const others = this.#toasts.get().filter((toast) => toast.undo !== undo);
    this.#toasts.set([...others, { id: this.#turn(), saying, tone, undo }]);
    if (tone === 'critical') this.alert(saying);
    else this.announce(saying);
  }

  dismiss(toast: Toast): void {
    this.#toasts.set(this.#toasts.get().filter((other) => other !== toast));
  }

  #turn(): number {
    this.#turns += 1;
    return this.#turns;
  }
}
