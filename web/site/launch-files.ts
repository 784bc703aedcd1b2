// Images from outside the page: files opened or shared with the installed app. They are stored here until the resizer
// takes them.

/** The Launch Handler API: in Chromium only, not yet in TypeScript's types. */
declare global {
  var launchQueue:
    | { setConsumer: (take: (launch: { files: readonly FileSystemFileHandle[] }) => void) => void }
    | undefined;
}

let waiting: File[] = [];
let listener: ((files: readonly File[]) => void) | null = null;

export function addLaunchFiles(files: readonly File[]): void {
  if (files.length === 0) return;
  if (listener === null) waiting = [...waiting, ...files];
  else listener(files);
}

/** Calls the listener with the stored files and with all later ones. */
export function onLaunchFiles(take: (files: readonly File[]) => void): void {
  listener = take;
  const files = waiting;
  waiting = [];
  addLaunchFiles(files);
}

/** Takes the files with which the installed app was opened. */
export function listenForLaunchFiles(): void {
  globalThis.launchQueue?.setConsumer(({ files }) => {
    void Promise.all(files.map((handle) => handle.getFile())).then(addLaunchFiles);
  });
}
