export { advancedFieldsChunk, formatFieldsChunk } from './chunks.ts';
export { SettingsPanel } from './settings-panel.tsx';
