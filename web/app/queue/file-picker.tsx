// The one file input of the page, out of sight: the button is the control. Folders get an input of their own for the
// moment, since one input cannot choose both.

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { acceptedFiles } from '../../domain/formats.ts';
import { useSession } from '../session-context.ts';
import { hidden, useField } from '../ui/index.ts';
import { fromFileList, fromFolderInput, type Intake } from './intake.ts';

interface FilePicker {
  readonly pickFiles: () => void;
  readonly pickFolder: () => void;
}

const FilePickerContext = createContext<FilePicker>({ pickFiles: () => {}, pickFolder: () => {} });

export function useFilePicker(): FilePicker {
  return useContext(FilePickerContext);
}

export function FilePickerProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const take = (field: HTMLInputElement) => {
    const files = [...(field.files ?? [])];
    // So that choosing the same file again is a change again.
    field.value = '';
    if (files.length > 0) void session.add(fromFileList(files));
  };
  const input = useField(take);
  const picker = useMemo<FilePicker>(
    () => ({
      pickFiles: () => input.current?.click(),
      pickFolder: () => pickFolder((intake) => void session.add(intake)),
    }),
    [session, input],
  );
  return (
    <FilePickerContext value={picker}>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedFiles()}
        className={hidden}
        tabIndex={-1}
        aria-hidden="true"
      />
      {children}
    </FilePickerContext>
  );
}

function pickFolder(take: (intake: Intake) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.addEventListener('change', () => take(fromFolderInput(input.files ?? [])));
  input.click();
}
