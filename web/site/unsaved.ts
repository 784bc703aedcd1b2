// Whether leaving the document would lose something. The resizer says; the runtime asks before it reloads by itself.

let check = (): boolean => false;

export function guardUnsaved(isUnsaved: () => boolean): void {
  check = isUnsaved;
}

export function isUnsaved(): boolean {
  return check();
}
