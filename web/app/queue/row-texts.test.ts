// The texts of rows of files with several images.
import { describe, expect, it } from 'vitest';
import english from '../../../locales/en.json' with { type: 'json' };
import simplified from '../../../locales/zh-CN.json' with { type: 'json' };
import traditional from '../../../locales/zh-TW.json' with { type: 'json' };
import { jobsFor } from '../../domain/jobs.ts';
import type { ResizePlan } from '../../domain/plan.ts';
import type { RecipeForm } from '../../domain/settings.ts';
import type { ImageInfo } from '../../engine/index.ts';
import { createWords, type Words } from '../../i18n/index.ts';
import type { Item, OutputFile } from '../state/item.ts';
import { planOf } from '../state/item-plan.ts';
import { recipeFor } from '../state/testing/recipes.ts';
import { fileNamed, pictureInfo, resultOf } from '../state/testing/scripted-engine.ts';
import { accessibleName, factsOf, formatAfter, sizesOf, stateText } from './row-texts.ts';

const ENGLISH = createWords('en', english);

const animation = pictureInfo(640, 480, { format: 'gif', frames: 60, sequence: 'animation' });
const scan = pictureInfo(640, 480, { format: 'tiff', frames: 12, sequence: 'pages' });
const icon = pictureInfo(64, 64, { format: 'ico', frames: 3, sequence: 'sizes' });

function itemOf(info: ImageInfo): Item {
  return { id: 1, file: fileNamed('a'), path: 'a', info, staysAnimated: false, phase: { phase: 'ready' } };
}

/** Returns what the row promises about the result before the run, and what it shows after it. */
function contentsOf(info: ImageInfo, changes: Partial<RecipeForm>, words: Words = ENGLISH): [string, string] {
  const recipe = recipeFor({ width: '32', ...changes });
  const item = itemOf(info);
  const plan = planOf(item, recipe);
  if (plan?.kind !== 'resize') throw new Error('the file of this test is kept');
  const [first, ...others] = jobsFor(recipe, plan, 0).map((job): OutputFile => ({ ...resultOf(job), frame: 0 }));
  if (first === undefined) throw new Error('a plan has no files');
  const done: Item = { ...item, phase: { phase: 'done', outputs: [first, ...others], resultKey: '', saved: false } };
  return [item, done].map((shown) => sizesOf(shown, plan, false, words)?.contents ?? '') as [string, string];
}

describe('the row of a file with several images', () => {
  it.each([
    [animation, {}, '60 frames'],
    [animation, { frames: 'first' as const }, '1 frame'],
    [animation, { format: 'png' as const }, '60 frames'],
    [animation, { format: 'jpeg' as const }, '1 frame'],
    [scan, {}, '12 pages'],
    [scan, { pages: 'first' as const }, '1 page'],
    [scan, { format: 'png' as const }, '12 files'],
    [icon, {}, '3 sizes'],
    [icon, { format: 'png' as const }, ''],
    [icon, { format: 'png' as const, entries: 'all' as const }, '3 files'],
    [pictureInfo(640, 480), {}, ''],
    [pictureInfo(640, 480), { format: 'ico' as const }, '3 sizes'],
  ])('tells what the result will contain, and then what it contains: case %#', (info, changes, expected) => {
    expect(contentsOf(info, changes)).toEqual([expected, expected]);
  });

  it('counts in the language of the page', () => {
    const counted = [animation, scan, icon].map((info) =>
      [createWords('zh-CN', simplified), createWords('zh-TW', traditional)].map((words) => [
        factsOf(itemOf(info), null, words).at(-1),
        contentsOf(info, {}, words)[0],
      ]),
    );
    expect(counted).toEqual([
      [
        ['60 帧', '60 帧'],
        ['60 個影格', '60 個影格'],
      ],
      [
        ['12 页', '12 页'],
        ['12 頁', '12 頁'],
      ],
      [
        ['内含 3 张图片', '3 种尺寸'],
        ['內含 3 張圖片', '3 種尺寸'],
      ],
    ]);
  });

  it('tells which frame, page or image is being resized', () => {
    const text = (info: ImageInfo, fraction: number, images: number, words = ENGLISH) =>
      stateText(
        { ...itemOf(info), phase: { phase: 'running', recipe: recipeFor({}), fraction, images } },
        null,
        false,
        words,
      );
    expect(text(animation, 0, 60)).toBe('Frame 1 of 60');
    expect(text(animation, 11.5 / 60, 60)).toBe('Frame 12 of 60');
    expect(text(animation, 1, 60)).toBe('Frame 60 of 60');
    expect(text(animation, 0.5, 1)).toBe('Resizing');
    expect(text(scan, 0.5, 12)).toBe('Page 7 of 12');
    expect(text(icon, 0.5, 3)).toBe('Image 2 of 3');
    expect(text(pictureInfo(64, 48), 0.5, 7)).toBe('Resizing');
    expect(text(animation, 0, 60, createWords('zh-CN', simplified))).toBe('第 1 帧，共 60 帧');
    expect(text(animation, 0, 60, createWords('zh-TW', traditional))).toBe('第 1 個影格，共 60 個');
  });

  it('promises the next size, also where a result of earlier settings can be saved', () => {
    const item = itemOf(pictureInfo(4000, 3000));
    const job = jobsFor(recipeFor({ width: '400' }), planOf(item, recipeFor({ width: '400' })) as ResizePlan, 0)[0]!;
    const output: OutputFile = { ...resultOf(job), frame: 0 };
    const done: Item = { ...item, phase: { phase: 'done', outputs: [output], resultKey: '', saved: false } };
    const next = planOf(done, recipeFor({ width: '200' }));
    expect(sizesOf(done, next, true, ENGLISH)?.to).toMatchObject({ width: 200, height: 150 });
    expect(sizesOf(done, next, false, ENGLISH)?.to).toMatchObject({ width: 400, height: 300 });
  });

  it('does not call a row ready whose size is impossible', () => {
    const item = itemOf(pictureInfo(30, 40));
    const plan = planOf(item, recipeFor({ width: '100000', format: 'jpeg', dontEnlarge: false }));
    expect(stateText(item, plan, false, ENGLISH)).toBe('Not possible');
  });

  it('says the bits of the file, and not those of its rows in memory', () => {
    const bitsOf = (depth: number, storedDepth: number) =>
      factsOf(itemOf({ ...pictureInfo(40, 30), depth, storedDepth }), null, ENGLISH).slice(2);
    expect([bitsOf(8, 1), bitsOf(8, 8), bitsOf(16, 10), bitsOf(16, 16)]).toEqual([[], [], ['10-bit'], ['16-bit']]);
  });

  it('says the format of the result where it is another one', () => {
    const heic = itemOf({ ...pictureInfo(4000, 3000), format: 'heic' });
    const textsFor = (item: Item, form: Parameters<typeof recipeFor>[0], stale = false) => {
      const after = formatAfter(item, planOf(item, recipeFor(form)), stale);
      return [factsOf(item, after, ENGLISH)[0], factsOf(item, after, ENGLISH, true)[0]];
    };
    expect(textsFor(heic, { width: '400' })).toEqual(['HEIC → JPEG', 'HEIC becomes JPEG']);
    const jpeg = itemOf(pictureInfo(4000, 3000));
    expect(textsFor(jpeg, { width: '400' })).toEqual(['JPEG', 'JPEG']);
    expect(textsFor(jpeg, { width: '400', format: 'png' })).toEqual(['JPEG → PNG', 'JPEG becomes PNG']);
    // A result keeps its format until the next one is made.
    const job = jobsFor(recipeFor({}), planOf(jpeg, recipeFor({})) as ResizePlan, 0)[0]!;
    const outputs: [OutputFile] = [{ ...resultOf(job), format: 'png', frame: 0 }];
    const done: Item = { ...jpeg, phase: { phase: 'done', outputs, resultKey: '', saved: false } };
    expect(textsFor(done, { format: 'webp' })).toEqual(['JPEG → PNG', 'JPEG becomes PNG']);
    expect(textsFor(done, { format: 'webp' }, true)).toEqual(['JPEG → WebP', 'JPEG becomes WebP']);
  });

  it('has both counts in its accessible name', () => {
    const item = itemOf(animation);
    const sizes = sizesOf(item, planOf(item, recipeFor({ width: '320' })), false, ENGLISH);
    expect(accessibleName(item, { sizes, facts: factsOf(item, null, ENGLISH), state: 'Ready' }, ENGLISH)).toBe(
      'a, 640 by 480, GIF, 1000Bytes, 60 frames, becomes 320 by 240, 60 frames, Ready',
    );
  });
});
