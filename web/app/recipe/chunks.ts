import { lazyChunk } from '../ui/index.ts';

export const advancedFieldsChunk = lazyChunk(async () => (await import('./advanced-fields.tsx')).AdvancedFields);
export const framesFieldsChunk = lazyChunk(async () => (await import('./frames-fields.tsx')).FramesFields);
