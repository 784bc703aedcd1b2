// @ts-check
// A Playwright reporter that records, for scripts/retries.mjs, the tests that passed only on a retry.
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
