export {
  advancedFieldsChunk,
  focusBackground,
  formatFieldsChunk,
  metadataFieldsChunk,
  namesFieldsChunk,
  presetsFieldsChunk,
} from './chunks.ts';
export { followLinks } from './link.ts';
export { SettingsPanel } from './settings-panel.tsx';
