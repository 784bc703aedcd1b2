import { lazyChunk } from '../ui/index.ts';

export const previewChunk = lazyChunk(async () => (await import('./preview-dialog.tsx')).PreviewDialog);
