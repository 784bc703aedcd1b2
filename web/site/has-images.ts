// Whether the page has images, which leaving the document would lose. The resizer sets the check; the update policy
// calls it.

let check = (): boolean => false;

export function setHasImages(hasImages: () => boolean): void {
  check = hasImages;
}

export function hasImages(): boolean {
  return check();
}
