// The failed files, under their reasons: a reason that several files have is shown once.

import { type ReactNode, useEffect, useId } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { type FailedGroup, failedGroups } from '../state/failed-groups.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Icon } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { focusRow } from './focus.ts';
import styles from './list.module.css';

interface FailedListProps {
  readonly handles: readonly ItemHandle[];
  readonly row: (handle: ItemHandle) => ReactNode;
}

export function FailedList({ handles, row }: FailedListProps) {
  const items = useSignal(useSession().queue.items);
  const byId = new Map(handles.map((handle) => [handle.id, handle]));
  const groups = failedGroups(items);
  const first = groups[0]?.ids[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears
  useEffect(() => {
    if (first !== undefined) focusRow(first);
  }, []);
  return groups.map((group) => (
    <Group key={JSON.stringify(group.message)} group={group}>
      {group.ids.flatMap((id) => byId.get(id) ?? []).map(row)}
    </Group>
  ));
}

function Group({ group: { ids, message }, children }: { readonly group: FailedGroup; readonly children: ReactNode }) {
  const { t, rich } = useWords();
  const id = useId();
  return (
    <div className={styles.group} data-several={ids.length > 1}>
      {ids.length === 1 ? null : (
        <p id={id} className={styles.reason}>
          <Icon name="alert" />
          <span>
            {t('list.sameReason', { count: ids.length })} {rich(message)}
          </span>
        </p>
      )}
      {/* Safari does not expose a list without bullets as a list. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul className={styles.list} role="list" {...(ids.length > 1 ? { 'aria-labelledby': id } : {})}>
        {children}
      </ul>
    </div>
  );
}
