// Images that come from outside of the page: opened with the installed app, or shared with it. They wait here until the
// resizer is there to take them.

let waiting: File[] = [];
let taker: ((files: readonly File[]) => void) | null = null;

export function addLaunchFiles(files: readonly File[]): void {
  if (files.length === 0) return;
  if (taker === null) waiting = [...waiting, ...files];
  else taker(files);
}

export function onLaunchFiles(take: (files: readonly File[]) => void): void {
  taker = take;
  const files = waiting;
  waiting = [];
  addLaunchFiles(files);
}
