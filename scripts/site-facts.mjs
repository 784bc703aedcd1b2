// @ts-check
// What the site's texts may say of a deployment.
import { workerPolicy } from './headers.mjs';

/** For people: each directive on a line of its own. @param {string} policy */
const oneALine = (policy) => policy.replaceAll('; ', ';\n');

/**
 * What a deployment must configure before it is public: a privacy policy has to name who is responsible.
 * @param {import('../web/site/config.ts').SiteConfig} site
 * @returns {string | null} the warning for the owner, null where nothing is missing
 */
export function missingFacts({ operator, contact, host }) {
  const missing = Object.entries({ operator, contact, host }).filter(([, value]) => value === null);
  if (missing.length === 0) return null;
  const lines = [
    'This site is not ready to be published.',
    `web/site/config.ts does not name: ${missing.map(([name]) => name).join(', ')}.`,
    'The privacy policy leaves out who is responsible for the site, and visitors cannot ask.',
  ];
  const width = Math.max(...lines.map(({ length }) => length));
  const rule = '!'.repeat(width + 6);
  return [rule, ...lines.map((line) => `!! ${line.padEnd(width)} !!`), rule, ''].join('\n');
}

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
