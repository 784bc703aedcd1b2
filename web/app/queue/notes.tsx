// The notes about one file: the reason of a failure, lost features, the reason why it was kept.

import { FALLBACK_FORMAT, FORMATS } from '../../domain/formats.ts';
import type { Plan, ResizePlan } from '../../domain/plan.ts';
import type { ImageInfo } from '../../engine/index.ts';
import { type Message, Sentences, useWords } from '../../i18n/index.ts';
import { formatName, type Item, type ItemFailure, planFailure } from '../state/item.ts';
import { failureDetail, failureMessage, keptMessages, warningMessage, warningsOf } from '../state/item-messages.ts';
import { Icon, type IconName } from '../ui/index.ts';
import styles from './notes.module.css';

type Tone = 'critical' | 'caution' | 'plain';
const ICONS = { critical: 'alert', caution: 'alert', plain: 'info' } as const satisfies Record<Tone, IconName>;

interface Note {
  /** The sentences of the note. */
  readonly messages: readonly [Message, ...Message[]];
  readonly tone: Tone;
  readonly detail?: string;
}

interface NotesProps {
  readonly item: Item;
  readonly plan: Plan | null;
  /** Whether the settings have changed since the result, so that the next result may differ. */
  readonly stale: boolean;
}

export function Notes({ item, plan, stale }: NotesProps) {
  const { t } = useWords();
  const notes = notesOf(item, plan, stale);
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map(({ messages, tone, detail }) => (
        <li key={messages[0].key} className={styles.note} data-tone={tone}>
          <Icon name={ICONS[tone]} />
          <div>
            <p>
              <Sentences messages={messages} />
            </p>
            {detail === undefined ? null : (
              <details className={styles.details}>
                <summary>{t('item.details')}</summary>
                <code lang="en">{detail}</code>
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
  if (phase.phase === 'kept' && !stale) return [keptNote(keptMessages(phase.reason, phase.rewrittenFor, true))];
  const done = phase.phase === 'done' ? phase.outputs : null;
  const output = done?.[0].format ?? plan?.format ?? FALLBACK_FORMAT;
  const warnings = warningsOf(info, done?.flatMap((result) => result.warnings) ?? [], output).map(
    (warning): Note => ({ messages: [warningMessage(warning, output, info?.sequence)], tone: 'caution' }),
  );
  const open = phase.phase === 'ready' || stale;
  // If a result can still be saved, the note that the file would now be kept is not shown.
  const showsPlan = open && !(done !== null && plan?.kind === 'kept');
  return [...(showsPlan ? planNotes(item, plan) : []), ...warnings];
}

/** Returns the notes for the state before the run. */
function planNotes({ info }: Item, plan: Plan | null): Note[] {
  switch (plan?.kind) {
    case undefined:
      return [];
    case 'resize':
      return info === null ? [] : partsNotes(info, plan);
    case 'kept':
      return [keptNote(keptMessages(plan.reason, plan.rewriteMetadata, false))];
    case 'too-long':
    case 'huge':
      return [failureNote(planFailure(plan))];
  }
}

/** Returns the notes about pages or frames that the output format cannot hold in one file. */
function partsNotes({ sequence, frames }: ImageInfo, { files, format }: ResizePlan): Note[] {
  const values = { count: frames, format: formatName(format) };
  if (files.length > 1 && sequence === 'sizes') return [{ messages: [{ key: 'note.entries', values }], tone: 'plain' }];
  if (files.length > 1) return [{ messages: [{ key: 'note.pages', values }], tone: 'plain' }];
  const isStill = sequence === 'animation' && frames > 1 && FORMATS[format].holds !== 'animation';
  return isStill ? [{ messages: [{ key: 'note.firstFrame', values }], tone: 'caution' }] : [];
}

function keptNote(messages: Note['messages']): Note {
  return { messages, tone: 'plain' };
}

function failureNote(failure: ItemFailure): Note {
  return { messages: [failureMessage(failure)], tone: 'critical', detail: failureDetail(failure) };
}
