// @ts-check
// The facts about a deployment that the texts of the site can contain.
import { workerPolicy } from './headers.mjs';

/** Puts each directive of a policy on its own line for display. @param {string} policy */
const oneALine = (policy) => policy.replaceAll('; ', ';\n');

/**
 * Checks the options that are required before a site is public: a privacy policy must name the responsible operator.
 * @param {import('../web/site/config.ts').SiteConfig} site
 * @returns {string | null} the warning for the owner; null if nothing is missing
 */
export function missingFacts({ operator, contact, host, heic }) {
  const missing = Object.entries({ operator, contact, host, heic }).filter(([, value]) => value === null);
  if (missing.length === 0) return null;
  const lines = [
    'This site is not ready to be published.',
    `web/site/config.ts does not contain: ${missing.map(([name]) => name).join(', ')}.`,
    'Without these facts the privacy policy is incomplete, and nobody has decided how HEIC photos are opened.',
  ];
  const width = Math.max(...lines.map(({ length }) => length));
  const rule = '!'.repeat(width + 6);
  return [rule, ...lines.map((line) => `!! ${line.padEnd(width)} !!`), rule, ''].join('\n');
}

/**
 * @param {import('../web/site/config.ts').SiteConfig} site
 * @param {string} policy the policy of pages
 * @returns {import('./content.mjs').Facts}
 */
export function factsOf({ domain, operator, contact, host, heic, analytics }, policy) {
  return {
    domain,
    operator,
    contact,
    host: host?.name ?? null,
    logDays: host === null ? null : String(host.logDays),
    heic: heic === 'device' ? null : 'built-in',
    analytics: analytics?.id ?? null,
    analyticsId: analytics?.id ?? null,
    policy: oneALine(policy),
    workerPolicy: oneALine(workerPolicy),
  };
}
