// The fields for the names of the results: the pattern, its tokens, and the name that the first image gets.

import { useId, useRef } from 'react';
import { NAME_TOKENS, type NameToken, type PatternProblem, patternProblem } from '../../domain/naming.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { type Message, useWords } from '../../i18n/index.ts';
import { exampleName } from '../save/index.ts';
import { useSession } from '../session-context.ts';
import { Button, Choice, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import styles from './settings-panel.module.css';

/** The pattern for which results keep the names of their originals. */
const ORIGINAL: NameToken = '{name}';

/** The fields with their messages, which are loaded with them. */
export const NamesFields = withLaterMessages(Fields);

function Fields() {
  const session = useSession();
  const { settings, queue } = session;
  const { fileNames } = useSignal(settings.form);
  const { counts } = useSignal(queue.status);
  const example = useSignal(queue.example);
  const place = useRef<HTMLDivElement>(null);
  const noteId = useId();
  const { t, rich } = useWords();
  const problem = patternProblem(fileNames, counts.total);
  const isOriginal = fileNames === ORIGINAL;

  /** Puts a token at the cursor, or at the end. */
  function insert(token: NameToken) {
    const input = place.current?.querySelector<HTMLInputElement>('input[type=text]');
    const [start, end] = [input?.selectionStart ?? fileNames.length, input?.selectionEnd ?? fileNames.length];
    settings.change({ fileNames: fileNames.slice(0, start) + token + fileNames.slice(end) });
    input?.focus();
  }

  return (
    <div ref={place} className={styles.advanced}>
      <Choice
        type="checkbox"
        checked={isOriginal}
        onChecked={(on) => settings.change({ fileNames: on ? ORIGINAL : DEFAULT_FORM.fileNames })}
      >
        {t('names.original')}
      </Choice>
      <TextField
        type="text"
        label={t('names.label')}
        value={fileNames}
        maxLength={120}
        aria-describedby={noteId}
        problemId={problem === null ? undefined : noteId}
        onText={(text) => settings.change({ fileNames: text })}
      />
      <div className={styles.tokens}>
        {NAME_TOKENS.map((token) => (
          <Button key={token} size="small" title={t(TOKEN_KEYS[token])} onClick={() => insert(token)}>
            {token}
          </Button>
        ))}
      </div>
      <p id={noteId} className={styles.note} data-problem={problem !== null}>
        {problem === null ? null : rich(problemMessage(problem))}
        {problem === null ? null : <br />}
        {example === null ? t('names.note') : t('names.example', { name: exampleName(session, example) })}
      </p>
    </div>
  );
}

const TOKEN_KEYS = {
  '{name}': 'names.token.name',
  '{w}': 'names.token.w',
  '{h}': 'names.token.h',
  '{n}': 'names.token.n',
  '{date}': 'names.token.date',
  '{format}': 'names.token.format',
} as const satisfies Record<NameToken, Message['key']>;

function problemMessage(problem: PatternProblem): Message {
  switch (problem.code) {
    case 'unknown-token':
      return { key: 'names.problem.token', values: { token: problem.token } };
    case 'invalid-character':
      return { key: 'names.problem.character', values: { character: problem.character } };
    case 'same-names':
      return { key: 'names.problem.same' };
  }
}
