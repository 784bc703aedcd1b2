// The hidden file inputs behind the buttons: one for files and one for folders, because one input cannot choose both.
// Both stay in the page: Safari can drop a detached input while its dialog is open.

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { acceptedFiles } from '../../domain/formats.ts';
import { useSession } from '../session-context.ts';
import { hidden, useField } from '../ui/index.ts';
import { fromFileList, fromFolderInput } from './intake.ts';

interface FilePicker {
  readonly pickFiles: () => void;
  readonly pickFolder: () => void;
}

const HIDDEN_INPUT = { className: hidden, tabIndex: -1, 'aria-hidden': true } as const;
/** An attribute that is missing in React's types. */
const FOLDER_INPUT = { webkitdirectory: '' };

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
    () => ({
      pickFiles: () => {
        if (files.current !== null) openFiles(files.current);
      },
      pickFolder: () => folder.current?.click(),
    }),
    [files, folder],
  );
  return (
    <FilePickerContext value={picker}>
      <input ref={files} type="file" multiple accept={acceptedFiles()} {...HIDDEN_INPUT} />
      <input ref={folder} type="file" {...FOLDER_INPUT} {...HIDDEN_INPUT} />
      {children}
    </FilePickerContext>
  );
}

/** Opens the dialog. Phones are not offered archives, because they then show a list of files and not the photos. */
function openFiles(field: HTMLInputElement): void {
  field.accept = acceptedFiles() + (matchMedia('(pointer: coarse)').matches ? '' : ',.zip');
  field.click();
}

/** Returns the chosen files and empties the input, so that choosing the same files again fires `change`. */
function takeFrom(field: HTMLInputElement): File[] {
  const files = [...(field.files ?? [])];
  field.value = '';
  return files;
}
