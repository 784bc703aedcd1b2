// Images from outside the page: opened with the installed app, or shared with it. They wait here for the resizer.

/** Chromium only, and not in TypeScript yet. */
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

/** Calls the listener with the files that wait, and with all later ones. */
export function onLaunchFiles(take: (files: readonly File[]) => void): void {
  listener = take;
  const files = waiting;
  waiting = [];
  addLaunchFiles(files);
}

/** Takes the files that the installed app was opened with. */
export function listenForLaunchFiles(): void {
  globalThis.launchQueue?.setConsumer(({ files }) => {
    void Promise.all(files.map((handle) => handle.getFile())).then(addLaunchFiles);
  });
}
