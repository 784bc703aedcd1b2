// @ts-check
// What the site's texts may say of a deployment.
import { workerPolicy } from './headers.mjs';

/** For people: each directive on a line of its own. @param {string} policy */
const oneALine = (policy) => policy.replaceAll('; ', ';\n');

/**
 * @param {import('../web/site/config.ts').SiteConfig} site
 * @param {string} policy of pages
 * @returns {import('./content.mjs').Facts}
 */
export function factsOf({ domain, operator, contact, host, analytics }, policy) {
  return {
    domain,
    operator,
    contact,
    host: host?.name ?? null,
    logDays: host === null ? null : String(host.logDays),
    analytics: analytics?.id ?? null,
    analyticsId: analytics?.id ?? null,
    policy: oneALine(policy),
    workerPolicy: oneALine(workerPolicy),
  };
}
