export { advancedFieldsChunk, formatFieldsChunk, metadataFieldsChunk } from './chunks.ts';
export { SettingsPanel } from './settings-panel.tsx';
