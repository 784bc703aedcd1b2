import { useWords } from '../../i18n/index.ts';
import type { PageProps } from '../runtime/loader.ts';
import { Problem } from './problem.tsx';

export function NotFound({ locale }: PageProps) {
  const { t } = useWords();
  return <Problem locale={locale} title={t('notFound.title')} text={t('notFound.text')} />;
}
