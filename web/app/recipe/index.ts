export { type Keeper, Settings } from './settings.ts';
export { SettingsPanel } from './settings-panel.tsx';
