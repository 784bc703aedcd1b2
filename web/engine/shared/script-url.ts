// URLs of scripts. On a page that enforces Trusted Types this module creates the only policy, which allows URLs of the
// page's own origin. The registration of the service worker uses it too, because a policy name can be used only once.

const POLICY_NAME = 'app-url';

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** The part of Trusted Types that is used here; TypeScript's libraries and some browsers lack them. */
interface MaybeTrustedTypes {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy };
}

let policy: ScriptUrlPolicy | undefined;

/** Returns the URL in the form that `new Worker` and `serviceWorker.register` accept. Throws for another origin. */
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
