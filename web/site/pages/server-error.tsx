import { Button } from '../../app/ui/index.ts';
import { useWords } from '../../i18n/index.ts';
import type { PageProps } from '../runtime/loader.ts';
import { useRuntime } from '../runtime-context.ts';
import styles from './problem.module.css';
import { Problem } from './problem.tsx';

export function ServerError({ locale }: PageProps) {
  const { t } = useWords();
  const runtime = useRuntime();
  return (
    <Problem locale={locale} title={t('serverError.title')} text={t('serverError.text')}>
      {/* The space is reserved before hydration, so that nothing moves. */}
      <span className={styles.later} data-waiting={runtime === null}>
        <Button size="large" onClick={() => runtime?.reload()}>
          {t('action.reload')}
        </Button>
      </span>
    </Problem>
  );
}
