// The notes about one file: the reason of a failure, lost features, the reason why it was kept.

import { FALLBACK_FORMAT } from '../../domain/formats.ts';
import { ADDRESSABLE_BYTES } from '../../domain/memory.ts';
import { outputFormat, type Plan, type ResizePlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { ImageInfo, Warning } from '../../engine/index.ts';
import { type Message, Sentences, useWords } from '../../i18n/index.ts';
import { focusBackground } from '../recipe/index.ts';
import { useSession } from '../session-context.ts';
import { formatName, type Item, type ItemFailure, type ItemId, type OutputFile } from '../state/item.ts';
import { failureDetail, failureMessage, keptMessages, warningMessage, warningsOf } from '../state/item-messages.ts';
import { losesFrames, planFailure } from '../state/item-plan.ts';
import type { Session } from '../state/session.ts';
import { Button, Icon, type IconName } from '../ui/index.ts';
import styles from './notes.module.css';

type Tone = 'critical' | 'caution' | 'plain';
const ICONS = { critical: 'alert', caution: 'alert', plain: 'info' } as const satisfies Record<Tone, IconName>;

interface Note {
  /** The sentences of the note. */
  readonly messages: readonly [Message, ...Message[]];
  readonly tone: Tone;
  readonly detail?: string;
  readonly buttons?: readonly NoteButton[];
}

interface NoteButton {
  readonly label: Message;
  readonly press: (session: Session) => void;
}

interface NotesProps {
  readonly item: Item;
  readonly recipe: Recipe | null;
  readonly plan: Plan | null;
  /** Whether the settings have changed since the result, so that the next result may differ. */
  readonly stale: boolean;
}

export function Notes(props: NotesProps) {
  const session = useSession();
  const { t } = useWords();
  const notes = notesOf(props);
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map(({ messages, tone, detail, buttons = [] }) => (
        // Pressing a button may change the note; the same key keeps the focus on it.
        <li
          key={buttons.length === 0 || messages[0].key === 'note.ownSize' ? messages[0].key : 'buttons'}
          className={styles.note}
          data-tone={tone}
        >
          <Icon name={ICONS[tone]} />
          <div>
            <p>
              <Sentences messages={messages} />
            </p>
            {buttons.map(({ label, press }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the label changes when the button is pressed
              <Button key={i} tone="quiet" size="small" onClick={() => press(session)}>
                {t(label.key, label.values)}
              </Button>
            ))}
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

function notesOf(props: NotesProps): Note[] {
  return [...ownSizeNotes(props.item), ...cropNotes(props.item), ...otherNotes(props)];
}

/** Returns the note that the image has a size of its own, with a button that gives it the size of the others. */
function ownSizeNotes({ id, info, ownSize }: Item): Note[] {
  if (ownSize == null || info === null) return [];
  const reset: NoteButton = {
    label: { key: 'note.useCommonSize' },
    press: ({ queue }) => queue.setOwnSize(id, null),
  };
  return [{ messages: [{ key: 'note.ownSize' }], tone: 'plain', buttons: [reset] }];
}

/** Returns the note that the image is cropped, with a button that takes the crop back. */
function cropNotes({ id, info, crop }: Item): Note[] {
  if (crop == null || info === null) return [];
  const reset: NoteButton = { label: { key: 'note.useWhole' }, press: ({ queue }) => queue.crop(id, null) };
  return [{ messages: [{ key: 'note.cropped' }], tone: 'plain', buttons: [reset] }];
}

function otherNotes({ item, recipe, plan, stale }: NotesProps): Note[] {
  const { info, phase } = item;
  if (phase.phase === 'failed' && !stale) return [failureNote(phase.failure, item.id)];
  if (phase.phase === 'kept' && !stale) return [keptNote(keptMessages(phase.reason, phase.rewrittenFor, true))];
  const done = phase.phase === 'done' ? phase.outputs : null;
  const output = done?.[0].format ?? plan?.format ?? FALLBACK_FORMAT;
  const warnings = warningsOf(info, done?.flatMap((result) => result.warnings) ?? [], output).map(
    (warning): Note => ({
      messages: [warningMessage(warning, output, info?.sequence)],
      // The reduction of colours is what the original and the settings ask for.
      tone: warning.code === 'colors-reduced' ? 'plain' : 'caution',
      ...buttonsOf(warning, item.id),
    }),
  );
  const open = phase.phase === 'ready' || stale;
  // If a result can still be saved, the note that the file would now be kept is not shown.
  const showsPlan = open && !(done !== null && plan?.kind === 'kept');
  const frames = info === null || recipe === null ? [] : framesNotes(item, info, recipe, plan);
  const removed = done === null || stale || info === null ? [] : removedNotes(info, recipe);
  const above = stale ? [] : limitNotes(done ?? []);
  return [...(open ? frames : []), ...(showsPlan ? planNotes(item, plan) : []), ...above, ...warnings, ...removed];
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

/** What can be done about transparent areas that get the background colour. */
const FLATTENED_BUTTONS: readonly NoteButton[] = [
  { label: { key: 'note.changeColor' }, press: () => void focusBackground() },
  { label: { key: 'note.usePng' }, press: ({ settings }) => settings.change({ format: 'png' }) },
];

/** Returns what can be done about a warning. */
function buttonsOf({ code }: Warning, id: ItemId): Pick<Note, 'buttons'> {
  if (code === 'flattened') return { buttons: FLATTENED_BUTTONS };
  if (code !== 'truncated') return {};
  return { buttons: [{ label: { key: 'note.leaveOut' }, press: (session) => session.remove(id) }] };
}

/** Returns the notes about frames that the chosen format cannot hold, with a button that keeps them or drops them. */
function framesNotes({ id, staysAnimated }: Item, info: ImageInfo, recipe: Recipe, plan: Plan | null): Note[] {
  if (recipe.format === 'same' || recipe.frames === 'first' || !losesFrames(info, recipe)) return [];
  // The original is the result, with all its frames.
  if (plan?.kind === 'kept' && !staysAnimated) return [];
  const format = formatName(recipe.format);
  const values = { count: info.frames, format };
  if (staysAnimated) {
    const button = animationButton({ key: 'note.useFormat', values: { format } }, id, false);
    return [{ messages: [{ key: 'note.staysAnimated', values }], tone: 'plain', buttons: [button] }];
  }
  const animated = formatName(outputFormat({ format: 'same' }, info));
  const button = animationButton({ key: 'note.keepAnimated', values: { format: animated } }, id, true);
  return [{ messages: [{ key: 'note.firstFrame', values }], tone: 'caution', buttons: [button] }];
}

/** Returns the button that chooses whether the file stays animated. */
function animationButton(label: Message, id: ItemId, staysAnimated: boolean): NoteButton {
  return { label, press: ({ queue }) => queue.setStaysAnimated(id, staysAnimated) };
}

/** Returns the notes about images that the output format cannot hold in one file. */
function partsNotes({ sequence, frames }: ImageInfo, { files, format }: ResizePlan): Note[] {
  const values = { count: frames, format: formatName(format) };
  if (files.length > 1 && sequence === 'sizes') return [{ messages: [{ key: 'note.entries', values }], tone: 'plain' }];
  const isSplit = files.length > 1 && sequence === 'pages';
  return isSplit ? [{ messages: [{ key: 'note.pages', values }], tone: 'plain' }] : [];
}

/** Returns the note that no quality makes a file as small as the settings ask, with a button for a smaller image. */
function limitNotes(outputs: readonly OutputFile[]): Note[] {
  const worst = outputs.reduce<OutputFile | null>(
    (most, output) => (overrun(output) > (most === null ? 1 : overrun(most)) ? output : most),
    null,
  );
  if (worst === null) return [];
  const { exceeds: limit = 0, byteLength, width, height } = worst;
  const longest = String(Math.max(1, Math.floor(Math.max(width, height) * Math.sqrt(limit / byteLength) * ROOM)));
  const reduce: NoteButton = {
    label: { key: 'note.reduceSize', values: { side: Number(longest) } },
    press: ({ settings }) => settings.change({ mode: 'longest', longest }),
  };
  const values = { limit: { bytes: limit, decimals: 1 }, size: { bytes: byteLength, decimals: 1 } };
  return [{ messages: [{ key: 'note.limitMissed', values }], tone: 'caution', buttons: [reduce] }];
}

/** A smaller image has relatively more bytes for each pixel; with this part of the sides, it fits all the same. */
const ROOM = 0.9;

/** Returns how many times the limit a file takes; 0 for a file within it. */
function overrun({ exceeds, byteLength }: OutputFile): number {
  return exceeds === undefined ? 0 : byteLength / exceeds;
}

/** Returns the note that a result lacks the location of its original. */
function removedNotes(info: ImageInfo, recipe: Recipe | null): Note[] {
  if (recipe === null || recipe.metadata === 'keep' || info.metadata !== 'location') return [];
  return [{ messages: [{ key: 'kept.locationRemoved' }], tone: 'plain' }];
}

function keptNote(messages: Note['messages']): Note {
  return { messages, tone: 'plain' };
}

/** Returns the note of a failure; a file that needs more memory than it was given, and no impossible one, can be tried. */
function failureNote(failure: ItemFailure, id?: ItemId): Note {
  const message = failureMessage(failure);
  const canTry = message.key === 'failure.memory' && failure.code === 'memory' && failure.need <= ADDRESSABLE_BYTES;
  const tryAnyway: NoteButton = {
    label: { key: 'note.tryAnyway' },
    press: ({ queue }) => id !== undefined && queue.tryAnyway(id),
  };
  return {
    messages: [message],
    tone: 'critical',
    detail: failureDetail(failure),
    buttons: canTry ? [tryAnyway] : [],
  };
}
