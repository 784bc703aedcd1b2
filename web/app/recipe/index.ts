export { advancedFieldsChunk, formatFieldsChunk, metadataFieldsChunk, namesFieldsChunk } from './chunks.ts';
export { SettingsPanel } from './settings-panel.tsx';
