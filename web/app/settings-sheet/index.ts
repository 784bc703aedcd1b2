export { SettingsSheet } from './settings-sheet.tsx';
