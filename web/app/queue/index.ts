import { lazyChunk } from '../ui/index.ts';

export { DropZone } from './drop-zone.tsx';
export { FilePickerProvider } from './file-picker.tsx';
export { focusAddButton, focusRow, removeFocusedRow } from './focus.ts';
export { hasRows } from './has-rows.ts';
export { WindowIntake } from './window-intake.tsx';
export const listChunk = lazyChunk(async () => (await import('./list.tsx')).List);
