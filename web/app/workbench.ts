// What only somebody with files needs: their rows, the settings behind a closed card, and what becomes of the results. A chunk of its own: see later.ts.

export { List } from './queue/index.late.ts';
export { AdvancedFields } from './recipe/index.late.ts';
