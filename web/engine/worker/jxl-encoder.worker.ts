// The worker that writes JPEG XL files: the core with libjxl.

import { Libjxl } from '../shared/libjxl.ts';
import { serveEncoder } from './encoder.ts';

serveEncoder((module) => new Libjxl(module));
