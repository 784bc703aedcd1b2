export { App } from './app.tsx';
export type { World } from './session.ts';
export { browserWorld } from './world.ts';
