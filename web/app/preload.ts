import { runStatusChunk, saveMenuChunk } from './action-bar.tsx';
import { settingsSheetChunk, toastsChunk } from './app.tsx';
import { listChunk } from './queue/index.ts';
import {
  advancedFieldsChunk,
  formatFieldsChunk,
  loadRevealCard,
  metadataFieldsChunk,
  moreSizesChunk,
  namesFieldsChunk,
  presetsFieldsChunk,
  sizeEffectChunk,
} from './recipe/index.ts';

/** Loads the chunks that the page needs once there are images. */
export async function preloadChunks(): Promise<void> {
  await Promise.all([
    listChunk.preload(),
    toastsChunk.preload(),
    settingsSheetChunk.preload(),
    runStatusChunk.preload(),
    saveMenuChunk.preload(),
    advancedFieldsChunk.preload(),
    formatFieldsChunk.preload(),
    metadataFieldsChunk.preload(),
    moreSizesChunk.preload(),
    namesFieldsChunk.preload(),
    presetsFieldsChunk.preload(),
    sizeEffectChunk.preload(),
    loadRevealCard(),
    import('./announcer.ts'),
    import('./state/queue-work.ts'),
    import('./save/index.ts'),
    import('./archives/index.ts'),
  ]);
}
