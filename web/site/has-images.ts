// Whether leaving the document would lose something. The resizer says; the runtime asks before it reloads by itself.

let check = (): boolean => false;

export function setHasImages(hasImages: () => boolean): void {
  check = hasImages;
}

export function hasImages(): boolean {
  return check();
}
