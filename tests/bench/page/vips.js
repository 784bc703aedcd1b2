import { inWorker } from './requests.js';

export const resize = inWorker(new URL('vips.worker.js', import.meta.url));
