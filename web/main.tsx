// The page until the static site stands around the resizer: a frame with the site's name, and the resizer.

// First of all: it declares the order of the cascade layers.
import './styles/index.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, browserWorld, listenForLeaving, Session } from './app/index.ts';
import styles from './frame.module.css';
import { english, useWords, WordsProvider } from './i18n/index.ts';

function Frame({ session }: { readonly session: Session }) {
  const { t } = useWords();
  return (
    <>
      <a className={styles['skip']} href="#resizer">
        {t('page.skip')}
      </a>
      <header className={styles['header']}>
        <a className={styles['name']} href="/">
          <Mark />
          {t('site.name')}
        </a>
      </header>
      <main id="resizer" className={styles['main']} tabIndex={-1}>
        <App session={session} />
      </main>
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className={styles['markLarge']} x="2" y="2" width="28" height="28" rx="7" />
      <path
        className={styles['markSmall']}
        d="M17 15h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM7.5 12V7.5H12M7.5 7.5l5.5 5.5"
      />
    </svg>
  );
}

const root = document.getElementById('root');
if (root !== null) {
  const session = new Session(browserWorld);
  session.start();
  listenForLeaving(session);
  createRoot(root).render(
    <StrictMode>
      <WordsProvider locale="en" messages={english}>
        <Frame session={session} />
      </WordsProvider>
    </StrictMode>,
  );
}
