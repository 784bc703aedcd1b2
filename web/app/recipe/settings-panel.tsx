// The settings card.

import { useWords } from '../../i18n/index.ts';
import { useCell } from '../cell.ts';
import { IntentionButton } from '../intention-button.tsx';
import { resetSettings } from '../intentions.ts';
import { useSession } from '../session-context.ts';
import { Choice } from '../ui/index.ts';
import { FormatFields } from './format-fields.tsx';
import styles from './settings-panel.module.css';
import { exampleOf, SizeFields } from './size-fields.tsx';

const OTHER_SHAPES = ['cover', 'pad', 'stretch'] as const;

export function SettingsPanel() {
  const session = useSession();
  const { settings, queue } = session;
  useCell(queue.status);
  const form = useCell(settings.form);
  const recipe = useCell(settings.recipe);
  const { t } = useWords();
  return (
    <div className={styles['panel']}>
      <fieldset className={styles['group']}>
        <legend className={styles['title']}>{t('size.title')}</legend>
        <SizeFields example={exampleOf(queue.items(), recipe)} />
        <div className={styles['choices']}>
          <Choice
            type="checkbox"
            checked={form.keepProportions}
            onChecked={(keepProportions) => settings.change({ keepProportions })}
          >
            {t('size.keepProportions')}
          </Choice>
          {form.keepProportions ? null : <OtherShape />}
          <Choice
            type="checkbox"
            checked={form.dontEnlarge}
            onChecked={(dontEnlarge) => settings.change({ dontEnlarge })}
          >
            {t('size.dontEnlarge')}
          </Choice>
        </div>
      </fieldset>
      <fieldset className={styles['group']}>
        <legend className={styles['title']}>{t('format.title')}</legend>
        <FormatFields />
      </fieldset>
      <div className={styles['foot']}>
        <IntentionButton intention={resetSettings} tone="quiet" size="small" />
      </div>
    </div>
  );
}

/** What happens to an image of another shape, once proportions need not be kept. */
function OtherShape() {
  const { settings } = useSession();
  const { otherShape } = useCell(settings.form);
  const { t } = useWords();
  return (
    <fieldset className={styles['shapes']}>
      <legend className={styles['legend']}>{t('size.otherShape')}</legend>
      {OTHER_SHAPES.map((shape) => (
        <Choice
          key={shape}
          type="radio"
          name="other-shape"
          checked={shape === otherShape}
          onChecked={() => settings.change({ otherShape: shape })}
        >
          {t(`size.${shape}`)}
        </Choice>
      ))}
    </fieldset>
  );
}
