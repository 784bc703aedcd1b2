// How visitors can check that their images stay on their device: without the internet, by the list of requests, and by
// the policies that the server sent.

import { useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../../app/ui/index.ts';
import { withLaterMessages } from '../../app/with-later-messages.tsx';
import { ASSETS } from '../../engine/page/assets.ts';
import { useWords } from '../../i18n/index.ts';
import { Link } from '../link.tsx';
import { appDataUrl } from '../runtime/paths.ts';
import styles from './check-it-yourself.module.css';
import { isChecking } from './checking.ts';

export const CheckItYourself = withLaterMessages(CheckDialog);

/** The files that the page has requested, by the browser's own record. */
interface Requests {
  readonly count: number;
  /** The number of those to other sites. */
  readonly foreign: number;
}

/** What the server says. */
interface ServerFacts {
  /** The policy of the page, and that of the workers; null if the server sends none. */
  readonly policy: string | null;
  readonly workerPolicy: string | null;
  readonly build: string | null;
}

function CheckDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { t } = useWords();
  // Before the requests of this dialog.
  const [requests] = useState(requestsSoFar);
  const facts = useServerFacts();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog, too
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={() => isChecking.set(false)}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={titleId}>{t('home.privacy.check')}</h2>
          <IconButton icon="close" label={t('action.close')} onClick={() => dialog.current?.close()} />
        </header>
        <h3>{t('check.offline.title')}</h3>
        <p>{t('check.offline.text')}</p>
        <h3>{t('check.requests.title')}</h3>
        <p>{t('check.requests.text')}</p>
        <p className={styles.fact}>{t('check.requests.count', { ...requests })}</p>
        <h3>{t('check.policy.title')}</h3>
        <p>{t('check.policy.text')}</p>
        <Policy text={facts?.policy} />
        <p>{t('check.policy.worker')}</p>
        <Policy text={facts?.workerPolicy} />
        <p>
          <Link to="/privacy-policy/">{t('footer.privacy')}</Link>
          {facts?.build == null ? null : ` · ${t('check.build', { build: facts.build })}`}
        </p>
      </div>
    </dialog>
  );
}

/** The text of a policy, or of several that are sent together, one directive a line; undefined while it is requested. */
function Policy({ text }: { readonly text: string | null | undefined }) {
  const { t } = useWords();
  if (text === undefined) return null;
  if (text === null) return <p className={styles.fact}>{t('check.policy.none')}</p>;
  return (
    <pre className={styles.policy} lang="en">
      {text.replace(/; */g, ';\n').replace(/, (?=default-src)/g, '\n\n')}
    </pre>
  );
}

function requestsSoFar(): Requests {
  const urls = performance.getEntriesByType('resource').map(({ name }) => new URL(name, location.href));
  const sent = urls.filter(({ protocol }) => protocol.startsWith('http'));
  return { count: sent.length, foreign: sent.filter(({ origin }) => origin !== location.origin).length };
}

/** Asks the server for its policies and its build; without a connection the service worker answers. */
function useServerFacts(): ServerFacts | null {
  const [facts, setFacts] = useState<ServerFacts | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const asked = [policyOf(location.pathname), policyOf(ASSETS.worker), currentBuild()] as const;
    void Promise.all(asked).then(([policy, workerPolicy, build]) => {
      if (isCurrent) setFacts({ policy, workerPolicy, build });
    });
    return () => {
      isCurrent = false;
    };
  }, []);
  return facts;
}

async function policyOf(url: string): Promise<string | null> {
  const response = await fetch(url).catch(() => null);
  return response?.headers.get('Content-Security-Policy') ?? null;
}

async function currentBuild(): Promise<string | null> {
  const answer: unknown = await fetch(appDataUrl()).then(
    (response) => response.json(),
    () => null,
  );
  return typeof answer === 'object' && answer !== null && 'build' in answer ? String(answer.build) : null;
}
