// The settings card.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FORMATS } from '../../domain/formats.ts';
import { isCardDefault, OTHER_SHAPES } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { ActionButton } from '../action-button.tsx';
import { useSession } from '../session-context.ts';
import { resetSettings } from '../state/actions.ts';
import { Choice, Chunk, Icon } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import {
  advancedFieldsChunk,
  formatFieldsChunk,
  loadRevealCard,
  metadataFieldsChunk,
  namesFieldsChunk,
  presetsFieldsChunk,
  shapeFieldsChunk,
} from './chunks.ts';
import styles from './settings-panel.module.css';
import { SizeFields } from './size-fields.tsx';

export function SettingsPanel() {
  const { settings } = useSession();
  const form = useSignal(settings.form);
  const isDefault = useSignal(settings.isDefault);
  const { t } = useWords();
  return (
    <div className={styles.panel}>
      <fieldset className={styles.group}>
        <legend className={styles.title}>{t('size.title')}</legend>
        {isDefault ? null : <Reset />}
        <SizeFields />
        <div className={styles.choices}>
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
      <Card
        name="format"
        title={t('format.title')}
        current={
          form.mode === 'appIcons' ? 'PNG, ICO' : form.format === 'same' ? t('format.same') : FORMATS[form.format].name
        }
      >
        <Chunk of={formatFieldsChunk} fallback={null} />
      </Card>
      <Card title={t('metadata.title')} current={t(`metadata.${form.metadata}`)}>
        <Chunk of={metadataFieldsChunk} fallback={null} />
      </Card>
      <Card title={t('names.title')} current={form.fileNames}>
        <Chunk of={namesFieldsChunk} fallback={null} />
      </Card>
      <Card title={t('presets.title')} current="">
        <Chunk of={presetsFieldsChunk} fallback={null} />
      </Card>
      <Card
        title={t('advanced.title')}
        current={t(isCardDefault(form, 'advanced') ? 'advanced.usual' : 'advanced.changed')}
      >
        <Chunk of={advancedFieldsChunk} fallback={null} />
      </Card>
    </div>
  );
}

/** The button that resets the settings. It disappears with its click, so the focus moves to the first field. */
function Reset() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const group = place.current?.parentElement;
    return () => {
      if (document.activeElement === document.body) group?.querySelector('input')?.focus();
    };
  }, []);
  return (
    <div ref={place} className={styles.reset}>
      <ActionButton action={resetSettings} tone="quiet" size="small" />
    </div>
  );
}

interface CardProps {
  readonly name?: string;
  readonly title: string;
  /** A summary of the card's settings, shown next to the title. */
  readonly current: string;
  readonly children: ReactNode;
}

/** A group of settings that is closed at the start. Its fields are first rendered when it is opened. */
function Card({ name, title, current, children }: CardProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [hasOpened, setHasOpened] = useState(false);
  useEffect(() => {
    // The card may have been opened before hydration.
    if (details.current?.open) setHasOpened(true);
  }, []);
  return (
    <details
      ref={details}
      data-card={name}
      className={styles.section}
      onToggle={({ currentTarget }) => {
        setHasOpened(true);
        // Without the code, the card opens as usual.
        if (currentTarget.open)
          loadRevealCard().then(
            (code) => code.revealCard(currentTarget),
            () => {},
          );
      }}
    >
      <summary className={styles.summary}>
        <span className={styles.title}>{title}</span>
        <span className={styles.current}>{current}</span>
        <Icon name="chevron-right" />
      </summary>
      {hasOpened ? children : null}
    </details>
  );
}

/** The fit for images of another shape if proportions need not be kept. */
function OtherShape() {
  const { settings } = useSession();
  const { otherShape } = useSignal(settings.form);
  const { t } = useWords();
  return (
    <fieldset className={styles.shapes}>
      <legend className={styles.legend}>{t('size.otherShape')}</legend>
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
      {otherShape === 'stretch' ? null : <Chunk of={shapeFieldsChunk} fallback={null} />}
    </fieldset>
  );
}
