// The language menu: links to the home page in each language.

import { hidden, hiddenWhenNarrow, Icon, Menu } from '../../app/ui/index.ts';
import { useWords } from '../../i18n/index.ts';
import { Link } from '../link.tsx';
import { LOCALE_NAMES, LOCALES, type Locale } from '../locales.ts';
import styles from './language-menu.module.css';

export function LanguageMenu({ locale }: { readonly locale: Locale }) {
  const { t } = useWords();
  const entries = LOCALE_NAMES.map((name) => ({ name, text: LOCALES[name].label, disabled: name === locale }));
  const label = (
    <>
      <Icon name="globe" />
      <span className={hidden}>{t('language.label')}</span>
      <span className={hiddenWhenNarrow}>{LOCALES[locale].label}</span>
      <Icon name="chevron-down" />
    </>
  );
  return (
    <Menu entries={entries} button={{ className: styles.button, children: label }}>
      {({ name, text, disabled }, props, close) =>
        disabled ? (
          <span key={name} {...props} lang={name} aria-disabled="true">
            {text}
            <Icon name="check" />
          </span>
        ) : (
          <Link key={name} {...props} lang={name} to={LOCALES[name].path} hrefLang={name} onClick={close}>
            {text}
          </Link>
        )
      }
    </Menu>
  );
}
