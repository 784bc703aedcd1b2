export {
  advancedFieldsChunk,
  focusBackground,
  formatFieldsChunk,
  metadataFieldsChunk,
  moreSizesChunk,
  namesFieldsChunk,
  presetsFieldsChunk,
  sizeEffectChunk,
} from './chunks.ts';
export { followLinks } from './link.ts';
export { SettingsPanel } from './settings-panel.tsx';
