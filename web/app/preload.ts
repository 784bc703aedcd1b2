import { listChunk } from './queue/index.ts';
import { advancedFieldsChunk, formatFieldsChunk } from './recipe/index.ts';

/** Loads the chunks that the page needs once there are images. */
export async function preloadChunks(): Promise<void> {
  await Promise.all([
    listChunk.preload(),
    advancedFieldsChunk.preload(),
    formatFieldsChunk.preload(),
    import('./save/index.ts'),
  ]);
}
