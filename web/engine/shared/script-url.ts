// URLs of scripts. On a page that enforces Trusted Types this is the one policy; it admits URLs of the page's own
// origin. The registration of the service worker uses it too, since a policy of one name can be created once only.

const POLICY_NAME = 'app-url';

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** The part of Trusted Types that is used here. TypeScript's libraries and some browsers do not have them yet. */
interface MaybeTrustedTypes {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy };
}

let policy: ScriptUrlPolicy | undefined;

/** The URL in the form that `new Worker` and `serviceWorker.register` accept. Throws for a URL of another origin. */
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
