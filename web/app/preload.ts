import { runStatusChunk } from './action-bar.tsx';
import { listChunk } from './queue/index.ts';
import { advancedFieldsChunk, formatFieldsChunk, metadataFieldsChunk } from './recipe/index.ts';

/** Loads the chunks that the page needs once there are images. */
export async function preloadChunks(): Promise<void> {
  await Promise.all([
    listChunk.preload(),
    runStatusChunk.preload(),
    advancedFieldsChunk.preload(),
    formatFieldsChunk.preload(),
    metadataFieldsChunk.preload(),
    import('./save/index.ts'),
  ]);
}
