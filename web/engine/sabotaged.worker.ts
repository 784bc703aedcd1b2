// For engine.browser.test.ts: the real worker, sabotaged.

import './sabotage.worker.ts';
import './worker.ts';
