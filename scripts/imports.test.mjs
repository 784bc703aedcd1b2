// @ts-check
import { expect, test } from 'vitest';
import { brokenRules } from './imports.mjs';

test.each([
  ['domain/plan.ts', "import { x } from '../engine/index.ts';"],
  ['domain/plan.ts', "import { useState } from 'react';"],
  ['engine/page/pool.ts', "import { initSync } from '../core/core.js';"],
  ['engine/page/engine.ts', "import type { BlobSource } from '../worker/source.ts';"],
  ['engine/worker/source.ts', "import { Pool } from '../page/pool.ts';"],
  ['engine/shared/failure.ts', "import { Pool } from '../page/pool.ts';"],
  ['engine/page/pool.ts', "import { FakeWorker } from '../testing/fake-worker.ts';"],
  ['app/state/session.ts', "import { useState } from 'react';"],
  ['app/state/session.ts', "import '../app.module.css';"],
  ['app/state/session.ts', "import { DropZone } from '../queue/index.ts';"],
  ['engine/page/engine.ts', "import { useState } from 'react';"],
  ['app/queue/store.ts', "import type { Pool } from '../../engine/page/pool.ts';"],
  ['app/queue/list/Row.tsx', "import { Preview } from '../../preview/Preview.tsx';"],
  ['app/App.tsx', "export * from './queue/store.ts';"],
  ['app/App.tsx', "const page = await import('../site/routes.ts');"],
])('%s must not contain %s', (from, source) => {
  expect(brokenRules(from, source)).toHaveLength(1);
});

test.each([
  ['domain/plan.ts', "import type { Size } from './recipe.ts';"],
  ['engine/worker/worker.ts', "import { initSync } from '../core/core.js';"],
  ['engine/page/assets.ts', "import coreUrl from '../core/core_bg.wasm?url';"],
  ['engine/page/assets.ts', "import workerUrl from '../worker/worker.ts?worker&url';"],
  ['app/state/session.ts', "import type { Recipe } from '../../domain/recipe.ts';"],
  ['app/queue/row.tsx', "import type { Item } from '../state/item.ts';"],
  ['app/queue/list/Row.tsx', "import { store } from '../store.ts';\nimport { Preview } from '../../preview/index.ts';"],
  ['app/queue/store.ts', "import { createEngine } from '../../engine/index.ts'; // not from '../../site/x.ts'"],
  ['app/App.tsx', "import { useState } from 'react';\nimport { Queue } from './queue/index.ts';"],
  ['site/client.tsx', "import { App } from '../app/App.tsx';"],
])('%s may contain %s', (from, source) => {
  expect(brokenRules(from, source)).toEqual([]);
});
