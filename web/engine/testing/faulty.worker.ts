// For engine.browser.test.ts: the real worker, sabotaged.

import './inject-faults.ts';
import '../worker/worker.ts';
