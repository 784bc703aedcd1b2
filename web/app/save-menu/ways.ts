// The ways of the menu beside Save, and what the browser must be able to do for each.

/** The ways to save, in the order of the menu. */
export const SAVE_WAYS = [
  'photos',
  'zip',
  'folder',
  'each',
  'share',
  'copy',
  'srcset',
  'appIcons',
  'csv',
  'json',
] as const;
export type SaveWay = (typeof SAVE_WAYS)[number];

/** What a browser can do with files. */
export interface Abilities {
  /** Whether it can write into a folder that the visitor chooses. */
  readonly folders: boolean;
  readonly sharing: boolean;
  /** Whether its share sheet can put images into the photo library. */
  readonly photos: boolean;
  readonly copying: boolean;
}

/** The HTML that can be copied for some results: none, for several widths of an image, or for the icons of a web app. */
export type Snippet = 'none' | 'srcset' | 'appIcons';

/** Returns the ways that the browser offers for this number of files. */
export function waysFor(files: number, snippet: Snippet, can: Abilities): SaveWay[] {
  const isPossible: Readonly<Record<SaveWay, boolean>> = {
    photos: can.sharing && can.photos,
    zip: true,
    folder: can.folders,
    each: files > 1,
    share: can.sharing && !can.photos,
    copy: can.copying && files === 1,
    srcset: can.copying && snippet === 'srcset',
    appIcons: can.copying && snippet === 'appIcons',
    csv: true,
    json: true,
  };
  return files === 0 ? [] : SAVE_WAYS.filter((way) => isPossible[way]);
}

/** Returns what this browser can do. */
export function browserAbilities(): Abilities {
  const sample = new File([], 'image.png', { type: 'image/png' });
  return {
    folders: 'showDirectoryPicker' in window,
    sharing: 'canShare' in navigator && navigator.canShare({ files: [sample] }),
    photos: isAppleDevice(navigator),
    copying: 'ClipboardItem' in window && 'clipboard' in navigator,
  };
}

/** The largest number of files that the share sheets of all systems take. */
export const MOST_SHARED = 25;

/** Whether the device is an iPhone or an iPad; an iPad calls itself a Mac. */
export function isAppleDevice({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
