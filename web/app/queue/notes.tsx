// What there is to say about one file: why it failed, what was left out, why it was kept.

import type { Plan } from '../../domain/sizing.ts';
import type { ImageInfo } from '../../engine/index.ts';
import { type Saying, useWords } from '../../i18n/index.ts';
import { Icon, type IconName } from '../ui/index.ts';
import { formatName, type Item, type ItemFailure, refusalOf } from './item.ts';
import styles from './notes.module.css';
import { failureDetail, failureSaying, keptSaying, warningSaying, warningsOf } from './sayings.ts';

type Tone = 'critical' | 'caution' | 'plain';
const ICONS = { critical: 'alert', caution: 'alert', plain: 'info' } as const satisfies Record<Tone, IconName>;

interface Note {
  readonly saying: Saying;
  readonly tone: Tone;
  readonly detail?: string;
}

interface NotesProps {
  readonly item: Item;
  readonly plan: Plan | null;
  /** Whether the settings have changed since: what was kept or has failed may end differently now. */
  readonly stale: boolean;
}

export function Notes({ item, plan, stale }: NotesProps) {
  const { t, rich } = useWords();
  const notes = notesOf(item, plan, stale);
  if (notes.length === 0) return null;
  return (
    <ul className={styles['notes']}>
      {notes.map(({ saying, tone, detail }) => (
        <li key={saying.key} className={styles['note']} data-tone={tone}>
          <Icon name={ICONS[tone]} />
          <div>
            <p>{rich(saying)}</p>
            {detail === undefined ? null : (
              <details className={styles['details']}>
                <summary>{t('item.details')}</summary>
                <code>{detail}</code>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function notesOf(item: Item, plan: Plan | null, stale: boolean): Note[] {
  const { info, phase } = item;
  if (phase.phase === 'failed' && !stale) return [failureNote(phase.failure)];
  if (phase.phase === 'kept' && !stale) return [{ saying: keptSaying(phase.reason), tone: 'plain' }];
  const done = phase.phase === 'done' ? phase.results : null;
  const output = done?.[0].format ?? plan?.format ?? 'png';
  const warnings = warningsOf(info, done?.flatMap((result) => result.warnings) ?? []).map(
    (warning): Note => ({ saying: warningSaying(warning, output), tone: 'caution' }),
  );
  const open = phase.phase === 'ready' || stale;
  // A result that may still be saved is not said to be kept as it is.
  const says = open && !(done !== null && plan?.kind === 'kept');
  return [...(says ? prospectNotes(item, plan) : []), ...warnings];
}

/** What can be told before the button is pressed. */
function prospectNotes({ info }: Item, plan: Plan | null): Note[] {
  switch (plan?.kind) {
    case undefined:
      return [];
    case 'resize':
      return info === null ? [] : partsNotes(info, plan);
    case 'kept':
      return [{ saying: keptSaying(plan.reason), tone: 'plain' }];
    case 'too-long':
    case 'huge':
      return [failureNote(refusalOf(plan))];
  }
}

/** What becomes of the pages or frames of a file in a format that holds one. */
function partsNotes({ sequence, frames }: ImageInfo, { files, format }: Plan & { kind: 'resize' }): Note[] {
  const values = { count: frames, format: formatName(format) };
  if (files.length > 1 && sequence === 'sizes') return [{ saying: { key: 'note.entries', values }, tone: 'plain' }];
  if (files.length > 1) return [{ saying: { key: 'note.pages', values }, tone: 'plain' }];
  const isStill = sequence === 'animation' && files[0]?.length === 1 && format !== 'ico';
  return isStill ? [{ saying: { key: 'note.firstFrame', values }, tone: 'caution' }] : [];
}

function failureNote(failure: ItemFailure): Note {
  return { saying: failureSaying(failure), tone: 'critical', detail: failureDetail(failure) };
}
