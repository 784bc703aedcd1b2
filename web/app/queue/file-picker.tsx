// The hidden file inputs behind the buttons: one for files, one for folders, since no input can choose both. Both stay
// in the page, because Safari may drop a detached input while its dialog is open.

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { acceptedFiles } from '../../domain/formats.ts';
import { useSession } from '../session-context.ts';
import { hidden, useField } from '../ui/index.ts';
import { fromFileList, fromFolderInput } from './intake.ts';

interface FilePicker {
  readonly pickFiles: () => void;
  readonly pickFolder: () => void;
}

const UNSEEN = { className: hidden, tabIndex: -1, 'aria-hidden': true } as const;
/** An attribute that React's types lack. */
const OF_FOLDERS = { webkitdirectory: '' };

const FilePickerContext = createContext<FilePicker>({ pickFiles: () => {}, pickFolder: () => {} });

export function useFilePicker(): FilePicker {
  return useContext(FilePickerContext);
}

export function FilePickerProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const files = useField((field: HTMLInputElement) => {
    const chosen = takeFrom(field);
    if (chosen.length > 0) void session.add(fromFileList(chosen));
  });
  const folder = useField((field: HTMLInputElement) => {
    const chosen = takeFrom(field);
    if (chosen.length > 0) void session.add(fromFolderInput(chosen));
  });
  const picker = useMemo<FilePicker>(
    () => ({ pickFiles: () => files.current?.click(), pickFolder: () => folder.current?.click() }),
    [files, folder],
  );
  return (
    <FilePickerContext value={picker}>
      <input ref={files} type="file" multiple accept={acceptedFiles()} {...UNSEEN} />
      <input ref={folder} type="file" {...OF_FOLDERS} {...UNSEEN} />
      {children}
    </FilePickerContext>
  );
}

/** Empties the input, so that choosing the same files again is a change. */
function takeFrom(field: HTMLInputElement): File[] {
  const files = [...(field.files ?? [])];
  field.value = '';
  return files;
}
