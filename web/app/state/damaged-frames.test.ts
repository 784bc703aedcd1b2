// Damaged frames: what the row and the summary tell about them.
import { describe, expect, it } from 'vitest';
import { readForm } from '../../domain/form.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import type { ImageInfo, Warning } from '../../engine/index.ts';
import { skippedFrames } from './item.ts';
import { warningMessage, warningsOf } from './item-messages.ts';
import { Queue } from './queue.ts';
import { Signal } from './signal.ts';
import { statusMessages } from './status-messages.ts';
import { fileNamed, pictureInfo, resultOf, ScriptedEngine } from './testing/scripted-engine.ts';

/** The header says that three of 60 frames are missing; two of the others cannot be decoded. */
const MISSING: Warning = { code: 'frames-skipped', skipped: 3, of: 60 };
const BROKEN: Warning = { code: 'frames-skipped', skipped: 2, of: 57 };

const info: ImageInfo = pictureInfo(4000, 3000, {
  format: 'gif',
  frames: 57,
  sequence: 'animation',
  warnings: [MISSING],
});

describe('the frames that a result lacks', () => {
  it('are those that the file lacks and those that cannot be decoded', () => {
    expect(skippedFrames([])).toBeNull();
    expect(skippedFrames([MISSING])).toEqual({ skipped: 3, of: 60 });
    expect(skippedFrames([MISSING, MISSING, BROKEN])).toEqual({ skipped: 5, of: 60 });
  });

  it('are told once in the row', () => {
    const before = [{ code: 'frames-skipped', skipped: 3, of: 60 }];
    expect(warningsOf(info, [], 'gif')).toEqual(before);
    expect(warningsOf(info, [MISSING, BROKEN], 'gif')).toEqual([{ code: 'frames-skipped', skipped: 5, of: 60 }]);
  });

  it('are called frames, pages or images, as the file has them', () => {
    const keys = (['animation', 'pages', 'sizes'] as const).map(
      (sequence) => warningMessage(MISSING, 'gif', sequence).key,
    );
    expect(keys).toEqual(['warning.framesSkipped', 'warning.pagesSkipped', 'warning.picturesSkipped']);
  });

  it('are counted in the summary of the run', async () => {
    const reading = readForm(DEFAULT_FORM);
    if (!('recipe' in reading)) throw new Error('the form of this test is invalid');
    const engine = new ScriptedEngine();
    const queue = new Queue(() => engine, new Signal<Recipe | null>(reading.recipe));
    await queue.load();
    queue.add(['a.gif', 'b.gif'].map((name) => ({ file: fileNamed(name), path: name })));
    await engine.probeAll(info);
    queue.resize();
    for (const warnings of [[MISSING, BROKEN], [MISSING]]) {
      const [call] = engine.runs;
      if (call === undefined) throw new Error('no run is pending');
      await engine.finish({ ...resultOf(call.job), warnings });
    }
    expect(queue.status.get().counts.damaged).toBe(8);
    expect(statusMessages(queue.status.get())).toContainEqual({ key: 'status.done.damaged', values: { count: 8 } });
  });
});

describe('the message that only the first frame was saved', () => {
  const first: Warning = { code: 'first-frame-only', frames: 60 };

  it('is shown for formats without animation only, because otherwise the user has chosen it', () => {
    expect(warningsOf(null, [first], 'jpeg')).toEqual([first]);
    expect(warningsOf(null, [first], 'png')).toEqual([]);
  });
});
