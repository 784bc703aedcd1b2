// The failed items, grouped by their reasons.

import type { Message } from '../../i18n/messages.ts';
import type { Item, ItemId } from './item.ts';
import { failureMessage } from './item-messages.ts';

/** The failed items with the same reason. */
export interface FailedGroup {
  readonly message: Message;
  readonly ids: readonly ItemId[];
}

/** Returns the groups in the order in which their reasons first occur. */
export function failedGroups(items: Iterable<Item>): FailedGroup[] {
  const groups = new Map<string, { message: Message; ids: ItemId[] }>();
  for (const { id, phase } of items) {
    if (phase.phase !== 'failed') continue;
    const message = failureMessage(phase.failure);
    const key = JSON.stringify(message);
    const group = groups.get(key) ?? { message, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}
