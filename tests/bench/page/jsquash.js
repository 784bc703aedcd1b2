import { inWorker } from './requests.js';

export const resize = inWorker(new URL('jsquash.worker.js', import.meta.url));
