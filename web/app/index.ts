export { App } from './app.tsx';
export { fetchWorkbench } from './later.ts';
export { listenForLeaving } from './leaving.ts';
export { Session, type World } from './session.ts';
export { browserWorld } from './world.ts';
