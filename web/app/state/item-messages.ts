// The messages about one file. A failure or warning code without a message does not compile.

import { type Format, heldByResults, type Sequence } from '../../domain/formats.ts';
import type { MetadataPolicy } from '../../domain/job.ts';
import type { KeptReason } from '../../domain/keep.ts';
import type { ImageInfo, Warning } from '../../engine/index.ts';
import type { Message, MessageValues } from '../../i18n/messages.ts';
import { formatName, type ItemFailure, skippedFrames } from './item.ts';
import { planFailureMessage } from './plan-messages.ts';

export function failureMessage(failure: ItemFailure): Message {
  switch (failure.code) {
    case 'empty':
      return { key: 'failure.empty' };
    case 'not-an-image':
      return { key: 'failure.notAnImage' };
    case 'other-kind':
      return otherKindMessage(failure.kind);
    case 'malformed':
      if (failure.syntax === undefined) return { key: 'failure.malformed' };
      return { key: 'failure.syntax', values: { format: formatName(failure.format), ...failure.syntax } };
    case 'unsupported':
      if (failure.format === 'heic' && failure.feature === '') return { key: 'failure.heic' };
      return {
        key: failure.feature === '' ? 'failure.unsupported' : 'failure.unsupportedFeature',
        values: { format: formatName(failure.format) },
      };
    case 'memory':
      // Memory can run out below the limit too; then the numbers do not explain the failure.
      if (failure.need <= failure.have || failure.have === 0) return { key: 'failure.memory.unknown' };
      return {
        key: 'failure.memory',
        values: { need: { bytes: failure.need, decimals: 1 }, have: { bytes: failure.have, decimals: 1 } },
      };
    case 'implausible':
      return { key: 'failure.implausible', values: { width: failure.width, height: failure.height } };
    case 'no-size':
      return { key: 'failure.noSize' };
    case 'side':
      return { key: 'failure.side', values: { max: failure.max } };
    case 'huge':
    case 'too-long':
      return planFailureMessage(failure);
    case 'parts':
      return { key: 'failure.parts' };
    case 'read':
      return { key: 'failure.read' };
    case 'write':
      return { key: 'failure.write' };
    case 'contradiction':
      return { key: 'failure.contradiction' };
    case 'crashed':
      return { key: 'failure.crashed' };
    case 'cancelled':
      return { key: 'failure.cancelled' };
    case 'wasm-unavailable':
      return { key: 'failure.unavailable' };
    case 'part-missing':
      return { key: 'failure.unloaded' };
  }
}

/** The kinds of other files (as the core names them) that are image formats for users, and their names. */
const UNSUPPORTED_IMAGES: Readonly<Record<string, string>> = { psd: 'PSD', jpeg2000: 'JPEG 2000', raw: 'RAW' };

function otherKindMessage(kind: string): Message {
  const format = UNSUPPORTED_IMAGES[kind];
  if (format !== undefined) return { key: 'failure.unsupported', values: { format } };
  return { key: 'failure.otherKind', values: { kind } };
}

/** Returns the technical text of a failure, shown under "Details". */
export function failureDetail(failure: ItemFailure): string {
  return 'detail' in failure ? `${failure.code}: ${failure.detail}` : failure.code;
}

/** Returns the message for a warning; `output` is the format of the result, `sequence` describes the source. */
export function warningMessage(warning: Warning, output: Format, sequence: Sequence = 'single'): Message {
  const format: MessageValues = { format: formatName(output) };
  switch (warning.code) {
    case 'truncated':
      return { key: 'warning.truncated' };
    case 'broken-profile':
      return { key: 'warning.brokenProfile' };
    case 'profile-dropped':
      return { key: 'warning.profileDropped', values: format };
    case 'first-frame-only':
      return { key: 'warning.firstFrameOnly', values: { ...format, frames: warning.frames ?? 0 } };
    case 'frames-skipped':
      return { key: SKIPPED[sequence], values: { skipped: warning.skipped, of: warning.of } };
    case 'depth-reduced':
      return { key: 'warning.depthReduced', values: format };
    case 'flattened':
      return { key: 'warning.flattened' };
    case 'colors-reduced':
      return { key: 'warning.colorsReduced' };
    case 'gain-map-dropped':
      return { key: 'warning.gainMapDropped' };
    case 'size-assumed':
      return { key: 'warning.sizeAssumed', values: { width: warning.width, height: warning.height } };
    case 'parts-left-out':
      return { key: 'warning.partsLeftOut' };
    case 'font-missing':
      return { key: 'warning.fontMissing', values: { font: warning.font } };
    case 'skipped':
      return { key: 'warning.skipped' };
  }
}

const SKIPPED = {
  single: 'warning.framesSkipped',
  animation: 'warning.framesSkipped',
  pages: 'warning.pagesSkipped',
  sizes: 'warning.picturesSkipped',
} as const satisfies Record<Sequence, string>;

/** Returns the warnings of the header and of the result, one for each code; `output` is the format of the result. */
export function warningsOf(info: ImageInfo | null, result: readonly Warning[], output: Format): readonly Warning[] {
  const all = [...(info?.warnings ?? []), ...result];
  const byCode = new Map(all.map((warning) => [warning.code, warning]));
  const skipped = skippedFrames(all);
  if (skipped !== null) byCode.set('frames-skipped', { code: 'frames-skipped', ...skipped });
  // If the result could be an animation, the user has chosen the first frame.
  if (heldByResults(output) === 'animation') byCode.delete('first-frame-only');
  return [...byCode.values()];
}

const KEPT = {
  'already-smaller': { key: 'kept.alreadySmaller' },
  'same-size': { key: 'kept.sameSize' },
  'smaller-original': { key: 'kept.smallerOriginal' },
} as const satisfies Record<KeptReason, Message>;

const NOT_RESIZED = {
  'already-smaller': { key: 'kept.alreadySmaller.notResized' },
  'same-size': { key: 'kept.sameSize.notResized' },
  'smaller-original': { key: 'kept.smallerOriginal' },
} as const satisfies Record<KeptReason, Message>;

/**
 * Returns the messages for a kept original. `rewrittenFor` is the policy for which the metadata is rewritten; null if
 * the original bytes are the result. `isDone` distinguishes the states before and after the run.
 */
export function keptMessages(
  reason: KeptReason,
  rewrittenFor: MetadataPolicy | null,
  isDone: boolean,
): [Message, ...Message[]] {
  switch (rewrittenFor) {
    case null:
    case 'keep':
      return [KEPT[reason]];
    case 'keep-without-location':
      return [NOT_RESIZED[reason], { key: isDone ? 'kept.locationRemoved' : 'kept.removesLocation' }];
    case 'remove':
      return [NOT_RESIZED[reason], { key: isDone ? 'kept.metadataRemoved' : 'kept.removesMetadata' }];
  }
}
