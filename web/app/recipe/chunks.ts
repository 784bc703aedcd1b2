import { lazyChunk } from '../ui/index.ts';

export const advancedFieldsChunk = lazyChunk(async () => (await import('./advanced-fields.tsx')).AdvancedFields);
export const metadataFieldsChunk = lazyChunk(async () => (await import('./metadata-fields.tsx')).MetadataFields);
export const shapeFieldsChunk = lazyChunk(async () => (await import('./shape-fields.tsx')).ShapeFields);
export const namesFieldsChunk = lazyChunk(async () => (await import('./names-fields.tsx')).NamesFields);
export const formatFieldsChunk = lazyChunk(async () => (await import('./format-fields.tsx')).FormatFields);
export const moreSizesChunk = lazyChunk(async () => (await import('./more-sizes.tsx')).MoreSizes);
export const sizeEffectChunk = lazyChunk(async () => (await import('./size-effect.tsx')).SizeEffect);
export const presetsFieldsChunk = lazyChunk(async () => (await import('./presets-fields.tsx')).PresetsFields);

export const loadRevealCard = () => import('./reveal-card.ts');

/** Opens the card with the background colour and focuses its field. */
export async function focusBackground(): Promise<void> {
  const card = document.querySelector<HTMLDetailsElement>('[data-card="format"]');
  if (card === null) return;
  card.open = true;
  await formatFieldsChunk.preload();
  // React renders the fields after the card has opened.
  requestAnimationFrame(() => requestAnimationFrame(() => card.querySelector<HTMLElement>('[type=color]')?.focus()));
}
