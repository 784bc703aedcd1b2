// What only somebody with files needs: their rows, and what becomes of the results. A chunk of its own: see later.ts.

export { List } from './queue/index.late.ts';
export { download, packageOf, resultsOf } from './save/index.ts';
