import { inWorker } from './requests.js';

export const resize = inWorker(new URL('canvas.worker.js', import.meta.url));
