import { lazyChunk } from '../ui/index.ts';

export const advancedFieldsChunk = lazyChunk(async () => (await import('./advanced-fields.tsx')).AdvancedFields);
export const metadataFieldsChunk = lazyChunk(async () => (await import('./metadata-fields.tsx')).MetadataFields);
export const shapeFieldsChunk = lazyChunk(async () => (await import('./shape-fields.tsx')).ShapeFields);
export const namesFieldsChunk = lazyChunk(async () => (await import('./names-fields.tsx')).NamesFields);
export const formatFieldsChunk = lazyChunk(async () => (await import('./format-fields.tsx')).FormatFields);
export const presetsFieldsChunk = lazyChunk(async () => (await import('./presets-fields.tsx')).PresetsFields);
