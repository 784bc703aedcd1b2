// The worker that writes AVIF files: the core with libavif.

import { Libavif } from '../shared/libavif.ts';
import { serveEncoder } from './encoder.ts';

serveEncoder((module) => new Libavif(module));
