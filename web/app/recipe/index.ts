export {
  advancedFieldsChunk,
  focusBackground,
  formatFieldsChunk,
  loadRevealCard,
  metadataFieldsChunk,
  moreSizesChunk,
  namesFieldsChunk,
  presetsFieldsChunk,
  sizeEffectChunk,
} from './chunks.ts';
export { followLinks } from './link.ts';
export { problemMessage } from './problems.ts';
export { SettingsPanel } from './settings-panel.tsx';
