// Copies an image to the clipboard, as PNG: the only format of images that every browser takes.

import { planFor } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { isFailed } from '../../engine/lazy.ts';
import { jobsOf } from '../state/item-plan.ts';
import type { Session } from '../state/session.ts';

/** The same pixels as PNG. Of several images, the first. */
const AS_PNG: Recipe = {
  ...DEFAULT_FORM,
  size: { by: 'percent', percent: 100 },
  enlarge: false,
  format: 'png',
  frames: 'first',
  pages: 'first',
  metadata: 'keep',
  border: [0, 0, 0, 0],
  density: null,
  maxBytes: null,
};

/** Copies an image. Call it in the handler of a click: Safari refuses later. */
export function copyImage(session: Session, blob: Blob): Promise<void> {
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(session, blob) })]);
}

async function pngOf({ probeFile, runJob }: Session, blob: Blob): Promise<Blob> {
  const info = await probeFile(blob);
  if (isFailed(info)) throw new Error(`the result cannot be read: ${info.failure.code}`);
  const plan = planFor(AS_PNG, info);
  if (plan.kind === 'kept') return blob;
  const [job] = plan.kind === 'resize' ? jobsOf(AS_PNG, plan, info) : [];
  if (job === undefined) throw new Error(`the result cannot become a PNG: ${plan.kind}`);
  const outcome = await runJob(blob, job);
  if (isFailed(outcome)) throw new Error(`the result did not become a PNG: ${outcome.failure.code}`);
  return outcome.blob;
}
