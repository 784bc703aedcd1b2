import type { Readable } from '../../app/state/signal.ts';
import { Icon, useHydrated } from '../../app/ui/index.ts';
import { useSignal } from '../../app/use-signal.ts';
import { useWords } from '../../i18n/index.ts';
import { site } from '../config.ts';
import { Link } from '../link.tsx';
import { LICENCES_PATH, PRIVACY_PATH } from '../routes.ts';
import { useRuntime } from '../runtime-context.ts';
import type { OfflineState } from '../service-worker-protocol.ts';
import styles from './footer.module.css';

/** The footer. `builtIn` is the year in the HTML; the first render must have the same year. */
export function Footer({ builtIn }: { readonly builtIn: number }) {
  const { t } = useWords();
  const runtime = useRuntime();
  const year = useHydrated() ? new Date().getFullYear() : builtIn;
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>{t('footer.owner', { year: String(year), domain: site.domain })}</p>
        <p className={styles.offline}>{runtime === null ? null : <Offline state={runtime.offline} />}</p>
        <p className={styles.links}>
          <Link to={PRIVACY_PATH}>{t('footer.privacy')}</Link>
          <Link to={LICENCES_PATH}>{t('footer.licences')}</Link>
        </p>
      </div>
    </footer>
  );
}

function Offline({ state }: { readonly state: Readable<OfflineState> }) {
  const { t } = useWords();
  const { bytes, missing } = useSignal(state);
  if (bytes === null) return null;
  const size = { bytes, decimals: 1 };
  const formats = missing.map(({ format, use }) => (use === 'open' ? format : t('footer.saving', { format })));
  return (
    <>
      <Icon name="check" />
      {formats.length === 0
        ? t('footer.offline', { size })
        : t('footer.offlineExcept', { size, formats: formats.join(t('footer.separator')) })}
    </>
  );
}
