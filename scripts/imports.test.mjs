// @ts-check
import { expect, test } from 'vitest';
import { brokenRules } from './imports.mjs';

test.each([
  ['domain/sizing.ts', "import { x } from '../engine/index.ts';"],
  ['domain/sizing.ts', "import { useState } from 'react';"],
  ['engine/pool.ts', "import { initSync } from './core/core.js';"],
  ['engine/engine.ts', "import { useState } from 'react';"],
  ['app/queue/store.ts', "import type { Pool } from '../../engine/pool.ts';"],
  ['app/queue/list/Row.tsx', "import { Preview } from '../../preview/Preview.tsx';"],
  ['app/App.tsx', "export * from './queue/store.ts';"],
  ['app/App.tsx', "const page = await import('../site/routes.ts');"],
])('%s may not contain %s', (from, source) => {
  expect(brokenRules(from, source)).toHaveLength(1);
});

test.each([
  ['domain/sizing.ts', "import type { Size } from './recipe.ts';"],
  ['engine/worker.ts', "import { initSync } from './core/core.js';"],
  ['engine/engine.ts', "import coreUrl from './core/core_bg.wasm?url';"],
  ['app/queue/list/Row.tsx', "import { store } from '../store.ts';\nimport { Preview } from '../../preview/index.ts';"],
  ['app/queue/store.ts', "import { createEngine } from '../../engine/index.ts'; // not from '../../site/x.ts'"],
  ['app/App.tsx', "import { useState } from 'react';\nimport { Queue } from './queue/index.ts';"],
  ['site/client.tsx', "import { App } from '../app/App.tsx';"],
])('%s may contain %s', (from, source) => {
  expect(brokenRules(from, source)).toEqual([]);
});
