// The worker that writes WebP files: the core with libwebp.

import { Libwebp } from '../shared/libwebp.ts';
import { serveEncoder } from './encoder.ts';

serveEncoder((module) => new Libwebp(module));
