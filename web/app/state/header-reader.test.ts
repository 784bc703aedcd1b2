// Reading a header again after a part of the page failed to load.
import { expect, test } from 'vitest';
import { readForm } from '../../domain/form.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import type { Failure } from '../../engine/index.ts';
import { Queue } from './queue.ts';
import { Signal } from './signal.ts';
import { fileNamed, pictureInfo, ScriptedEngine } from './testing/scripted-engine.ts';

const MISSING: Failure = { code: 'part-missing', detail: 'offline' };

test('Try again and Resize Images read a header again if a part of the page did not load', async () => {
  const engine = new ScriptedEngine();
  const reading = readForm(DEFAULT_FORM);
  const queue = new Queue(() => engine, new Signal<Recipe | null>('recipe' in reading ? reading.recipe : null));
  await queue.load();
  const phases = () => queue.items.get().map(({ phase }) => phase.phase);

  queue.add([{ file: fileNamed('a.jpg'), path: 'a.jpg' }]);
  await engine.probeAll({ failure: MISSING });
  expect(queue.status.get().counts).toMatchObject({ failed: 1, unusable: 0, retryable: 1 });
  queue.retry();
  expect(phases()).toEqual(['reading']);
  await engine.probeAll({ failure: MISSING });
  queue.resize();
  await engine.probeAll(pictureInfo(4000, 3000));
  expect(phases()).toEqual(['ready']);
  expect(engine.runs).toHaveLength(0);
});
