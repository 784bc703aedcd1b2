// The real worker of the JPEG XL module with traps, for jxl.browser.test.ts.

import './inject-trap.ts';
import '../worker/jxl.worker.ts';
