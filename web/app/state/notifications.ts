// Notifications: toasts, and announcements to screen readers through a polite and an assertive live region.

import type { Message } from '../../i18n/messages.ts';
import { type Readable, Signal } from './signal.ts';

export interface Announcement {
  readonly messages: readonly Message[];
  /** A number that differs in each announcement, so that the same text is spoken again. */
  readonly turn: number;
}

export interface Toast {
  readonly id: number;
  readonly message: Message;
  readonly tone: 'plain' | 'critical';
  readonly undo: boolean;
}

const NOTHING: Announcement = { messages: [], turn: 0 };

export class Notifications {
  readonly #polite = new Signal(NOTHING);
  readonly #assertive = new Signal(NOTHING);
  readonly #toasts = new Signal<readonly Toast[]>([]);
  #turns = 0;

  get polite(): Readable<Announcement> {
    return this.#polite;
  }

  get assertive(): Readable<Announcement> {
    return this.#assertive;
  }

  /** The visible toasts, the oldest first: at most one with Undo and one without. */
  get toasts(): Readable<readonly Toast[]> {
    return this.#toasts;
  }

  announce(...messages: readonly Message[]): void {
    this.#polite.set({ messages, turn: this.#turn() });
  }

  alert(...messages: readonly Message[]): void {
    this.#assertive.set({ messages, turn: this.#turn() });
  }

  /**
   * Shows a toast and announces it. It replaces the last toast of the same kind, so a message does not remove an Undo.
   */
  show(message: Message, { tone = 'plain', undo = false }: { tone?: Toast['tone']; undo?: boolean } = {}): void {
    const others = this.#toasts.get().filter((toast) => toast.undo !== undo);
    this.#toasts.set([...others, { id: this.#turn(), message, tone, undo }]);
    if (tone === 'critical') this.alert(message);
    else this.announce(message);
  }

  dismiss(toast: Toast): void {
    this.#toasts.set(this.#toasts.get().filter((other) => other !== toast));
  }

  #turn(): number {
    this.#turns += 1;
    return this.#turns;
  }
}
