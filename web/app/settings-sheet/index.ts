export { SettingsSheet } from './settings-sheet.tsx';
export { SettingsSummary } from './settings-summary.tsx';
