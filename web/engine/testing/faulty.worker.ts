// The real worker with injected faults, for engine.browser.test.ts.

import './inject-faults.ts';
import '../worker/worker.ts';
