export { DropZone } from './drop-zone.tsx';
export { FilePickerProvider } from './file-picker.tsx';
export { fromClipboard, fromFileList, fromFolderInput, fromTransfer, type Intake } from './intake.ts';
export {
  formatName,
  type Incoming,
  type Item,
  type ItemId,
  type Made,
  nameOf,
  outputsOf,
  prospectOf,
  refusalOf,
} from './item.ts';
export { Narrator } from './narrator.ts';
export { changeOf, outcomeSayings } from './outcome.ts';
export { Queue, type Slot, type Status } from './queue.ts';
export { failureSaying } from './sayings.ts';
export { mainAction, type Run, type Stage, stageOf, type Tally } from './tally.ts';
export { WindowIntake } from './window-intake.tsx';
