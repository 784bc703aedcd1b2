// The home page: the resizer, its advantages, and questions with answers.

import { useEffect } from 'react';
import { App, browserPlatform, confirmBeforeUnload, preloadChunks, recoverResults, Session } from '../../app/index.ts';
import { Chunk, Icon, type IconName, lazyChunk, useHydrated } from '../../app/ui/index.ts';
import { useSignal } from '../../app/use-signal.ts';
import { whenIdle } from '../../engine/page/idle.ts';
import { type MessageKey, useWords } from '../../i18n/index.ts';
import { site } from '../config.ts';
import { setHasImages } from '../has-images.ts';
import { onLaunchFiles } from '../launch-files.ts';
import { RichText } from '../rich-text.tsx';
import type { PageProps } from '../runtime/loader.ts';
import { isChecking } from './checking.ts';
import styles from './home.module.css';

// One session per document, so that visiting another page or changing the language does not lose images.
const session = new Session(browserPlatform);
let started = false;

function startVisit() {
  if (started) return;
  started = true;
  session.start();
  confirmBeforeUnload(session);
  onLaunchFiles((files) => {
    const incoming = files.map((file) => ({ file, path: file.name }));
    void session.add({ files: incoming, emptyFolders: [] });
  });
  setHasImages(() => session.view.get().counts.total > 0);
  // A chunk that fails to load here is loaded again when it is needed.
  whenIdle(() => void preloadChunks().catch(() => undefined));
  whenIdle(() => void recoverResults(session));
}

export function Home({ queries }: PageProps) {
  useEffect(startVisit, []);
  return (
    <>
      <App session={session} />
      <Blurbs />
      <CheckBox />
      <Faq questions={queries.faq ?? []} />
      <Contact />
    </>
  );
}

const BLURBS: readonly { readonly icon: IconName; readonly title: MessageKey; readonly text: MessageKey }[] = [
  { icon: 'easy', title: 'home.easy.title', text: 'home.easy.text' },
  { icon: 'shield', title: 'home.privacy.title', text: 'home.privacy.text' },
  { icon: 'stack', title: 'home.batch.title', text: 'home.batch.text' },
];

function Blurbs() {
  const { t } = useWords();
  return (
    <ul className={styles.blurbs}>
      {BLURBS.map(({ icon, title, text }) => (
        <li key={title} className={styles.blurb}>
          <Icon name={icon} />
          <h2>{t(title)}</h2>
          <p>{t(text)}</p>
          {icon === 'shield' ? <CheckButton /> : null}
        </li>
      ))}
    </ul>
  );
}

const checkChunk = lazyChunk(async () => (await import('./check-it-yourself.tsx')).CheckItYourself);

/** The button that opens the box "Check it yourself". */
function CheckButton() {
  const { t } = useWords();
  const live = useHydrated();
  return (
    <button type="button" className={styles.check} disabled={!live} onClick={() => isChecking.set(true)}>
      {t('home.privacy.check')}
    </button>
  );
}

function CheckBox() {
  return useSignal(isChecking) ? <Chunk of={checkChunk} fallback={null} /> : null;
}

function Faq({ questions }: { readonly questions: NonNullable<PageProps['queries']['faq']> }) {
  const { t } = useWords();
  return (
    <section id="faq" className={styles.faq} aria-labelledby="faq-title">
      <h2 id="faq-title">{t('home.faq')}</h2>
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question} className={styles.question}>
            <summary>
              <h3>{question}</h3>
              <Icon name="chevron-down" />
            </summary>
            <div className={styles.answer}>
              <RichText nodes={answer} />
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

function Contact() {
  const { t } = useWords();
  if (site.contact === null) return null;
  return (
    <p className={styles.contact}>
      <a href={`mailto:${site.contact}`}>
        <Icon name="mail" />
        {t('home.contact')}
      </a>
    </p>
  );
}
