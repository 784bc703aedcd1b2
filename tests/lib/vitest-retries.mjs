// @ts-check
// A Vitest reporter that records, for scripts/retries.mjs, the tests that passed only on a retry.
import { addRetry } from '../../scripts/retries.mjs';

/** @typedef {import('vitest/node').Reporter} Reporter */

/** @implements {Reporter} */
export class RetryReporter {
  /** @param {import('vitest/node').TestCase} testCase */
  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) addRetry(`${testCase.project.name}: ${testCase.fullName}`);
  }
}
