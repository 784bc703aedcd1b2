export { DropZone } from './drop-zone.tsx';
export { FilePickerProvider } from './file-picker.tsx';
export { WindowIntake } from './window-intake.tsx';
