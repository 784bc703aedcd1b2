// @ts-check
// A reporter of vitest that tells scripts/retries.mjs which tests passed only when they ran again.
import { addRetry } from '../../scripts/retries.mjs';

/** @typedef {import('vitest/node').Reporter} Reporter */

/** @implements {Reporter} */
export class RetryReporter {
  /** @param {import('vitest/node').TestCase} testCase */
  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) addRetry(`${testCase.project.name}: ${testCase.fullName}`);
  }
}
