// @ts-check
// A reporter of Playwright that tells scripts/retries.mjs which tests passed only when they ran again.
import { addRetry } from '../../scripts/retries.mjs';

/** @typedef {import('playwright/types/testReporter').Reporter} Reporter */

/** @implements {Reporter} */
class RetryReporter {
  /** @param {import('playwright/types/testReporter').TestCase} test */
  onTestEnd(test) {
    if (test.outcome() === 'flaky') addRetry(test.titlePath().filter(Boolean).join(' › '));
  }

  printsToStdio() {
    return false;
  }
}

export default RetryReporter;
