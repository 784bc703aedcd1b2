export { advancedFieldsChunk } from './chunks.ts';
export { SettingsPanel } from './settings-panel.tsx';
