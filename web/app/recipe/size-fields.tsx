// The size fields. Typing into a field chooses its size mode; the other fields show the resulting values.

import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Example } from '../state/plans.ts';
import { Chunk, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { moreSizesChunk, sizeEffectChunk } from './chunks.ts';
import styles from './settings-panel.module.css';
import { SIZE_NOTE, SizeField, useSizeField } from './size-field.tsx';

export function SizeFields() {
  const { queue, settings } = useSession();
  const example = useSignal(queue.example);
  const form = useSignal(settings.form);
  const { t } = useWords();
  const field = useSizeField();
  const sides = form.mode === 'sides';
  return (
    <>
      <div className={styles.fields}>
        <TextField
          {...field('width')}
          label={t('size.width')}
          inUse={sides}
          value={sides ? form.width : ''}
          onText={(width) => settings.change({ mode: 'sides', width, ...(sides ? {} : { height: '' }) })}
        />
        <TextField
          {...field('height')}
          label={t('size.height')}
          inUse={sides}
          value={sides ? form.height : ''}
          onText={(height) => settings.change({ mode: 'sides', height, ...(sides ? {} : { width: '' }) })}
        />
        <SizeField mode="percent" unit={t('size.unit.percent')} />
        <SizeField mode="longest" />
      </div>
      <More />
      <SizeNote example={example} />
    </>
  );
}

/** The problem of the form if there is one, otherwise the effect of the settings. */
function SizeNote({ example }: { readonly example: Example | null }) {
  const hasProblem = useSignal(useSession().settings.problems).length > 0;
  const { t } = useWords();
  const help = <p>{t('size.help')}</p>;
  const isBad = hasProblem || (example !== null && hasFailed(example));
  return (
    <div id={SIZE_NOTE} className={styles.note} data-problem={isBad}>
      {hasProblem || example !== null ? <Chunk of={sizeEffectChunk} fallback={help} /> : help}
    </div>
  );
}

/** Whether the example cannot have the requested size. */
function hasFailed({ plan }: Example): boolean {
  return plan.kind !== 'resize' && plan.kind !== 'kept';
}

/** The size modes that few images need. Their fields are first rendered when they are opened. */
function More() {
  const { settings } = useSession();
  const { mode } = useSignal(settings.form);
  const details = useRef<HTMLDetailsElement>(null);
  const [hasOpened, setHasOpened] = useState(false);
  const { t } = useWords();
  const isUsed = mode === 'shortest' || mode === 'megapixels' || mode === 'widths' || mode === 'appIcons';
  useEffect(() => {
    if (isUsed && details.current !== null) details.current.open = true;
  }, [isUsed]);
  return (
    <details ref={details} className={styles.more} onToggle={() => setHasOpened(true)}>
      <summary>{t('size.more')}</summary>
      {hasOpened ? <Chunk of={moreSizesChunk} fallback={null} /> : null}
    </details>
  );
}
