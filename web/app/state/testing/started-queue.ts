// A queue with a scripted engine, for tests.

import type { Recipe } from '../../../domain/recipe.ts';
import { stageOf } from '../counts.ts';
import { Queue } from '../queue.ts';
import { Signal } from '../signal.ts';
import { recipeFor } from './recipes.ts';
import { fileNamed, pictureInfo, resultOf, ScriptedEngine } from './scripted-engine.ts';

/** Makes an empty queue, and the functions with which tests use it. */
export async function startQueue() {
  const engine = new ScriptedEngine();
  const recipe = new Signal<Recipe | null>(recipeFor());
  const queue = new Queue(() => engine, recipe);
  await queue.load();
  const add = (...names: string[]) => queue.add(names.map((name) => ({ file: fileNamed(name), path: name })));
  return {
    engine,
    recipe,
    queue,
    add,
    /** Adds files with headers of 4000 × 3000 pixels. */
    load: async (...names: string[]) => {
      add(...names);
      await engine.probeAll(pictureInfo(4000, 3000));
    },
    /** Answers the oldest run with the result that its job requests. */
    finish: async (bytes?: number) => {
      const [call] = engine.runs;
      if (call === undefined) throw new Error('no run is pending');
      await engine.finish(resultOf(call.job, bytes));
    },
    phases: () => queue.items.get().map(({ phase }) => phase.phase),
    stage: () => {
      const { counts, run } = queue.status.get();
      return stageOf(counts, run);
    },
    idAt: (place: number) => {
      const item = queue.items.get()[place];
      if (item === undefined) throw new Error(`no item is at place ${place}`);
      return item.id;
    },
  };
}
