export { App } from './app.tsx';
export { confirmBeforeUnload } from './before-unload.ts';
export { browserPlatform } from './browser-platform.ts';
export { preloadChunks } from './preload.ts';
export { recoverResults } from './recover.ts';
export { type Platform, Session } from './state/session.ts';
