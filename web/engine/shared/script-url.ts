// Addresses that may become scripts. Where a page enforces Trusted Types, this is its one policy; it lets through what
// comes from the page's own origin. Whoever registers a service worker needs it too: a policy's name is given once.

const POLICY_NAME = 'app-url';

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** The part of Trusted Types that is used here; TypeScript's own libraries do not know them yet, nor do all browsers. */
interface MaybeTrustedTypes {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy };
}

let policy: ScriptUrlPolicy | undefined;

/** The address as `new Worker` and `serviceWorker.register` take it. Throws for one of another origin. */
export function scriptUrl(url: string): string {
  policy ??= makePolicy({ createScriptURL: ownOrigin });
  return policy.createScriptURL(url);
}

function makePolicy(rules: ScriptUrlPolicy): ScriptUrlPolicy {
  const { trustedTypes } = globalThis as typeof globalThis & MaybeTrustedTypes;
  return trustedTypes?.createPolicy(POLICY_NAME, rules) ?? rules;
}

function ownOrigin(url: string): string {
  const { origin } = new URL(url, location.href);
  if (origin !== location.origin) throw new TypeError(`${origin} is not this page's own origin`);
  return url;
}
