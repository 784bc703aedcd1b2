// The presets: those of the page and the visitor's own, and the link to a page with the current settings.

import { useMemo, useState } from 'react';
import {
  changedPart,
  contains,
  defaultsOf,
  formOf,
  hashOf,
  MAX_PRESET_NAME,
  type OwnPreset,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  withPreset,
} from '../../domain/presets.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Button, IconButton, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { OwnPresets } from './own-presets.ts';
import styles from './presets-fields.module.css';

/** The fields with their messages, which are loaded with them. */
export const PresetsFields = withLaterMessages(Fields);

function Fields() {
  const { settings, platform } = useSession();
  const form = useSignal(settings.form);
  const own = useMemo(() => new OwnPresets(platform.storage), [platform]);
  const list = useSignal(own.list);
  const { t } = useWords();
  return (
    <div className={styles.presets}>
      <ul className={styles.chips} aria-label={t('presets.title')}>
        {PRESET_NAMES.map((name) => (
          <PresetChip key={name} name={name} />
        ))}
        {list.map((preset) => (
          <OwnChip
            key={preset.name}
            preset={preset}
            isSet={contains(form, formOf(preset.part))}
            onUse={() => settings.change(formOf(preset.part))}
            onRemove={() => own.set(list.filter((other) => other !== preset))}
          />
        ))}
      </ul>
      <NewPreset onSave={(name) => own.set(withPreset(list, { name, part: changedPart(form) }))} />
      <CopyLink />
    </div>
  );
}

/** A preset of the page. A second press gives its settings their default values. */
function PresetChip({ name }: { readonly name: PresetName }) {
  const { settings } = useSession();
  const preset = PRESETS[name];
  const isSet = contains(useSignal(settings.form), preset);
  const { t } = useWords();
  return (
    <li>
      <Button size="small" aria-pressed={isSet} onClick={() => settings.change(isSet ? defaultsOf(preset) : preset)}>
        {t(`presets.${name}`)}
      </Button>
    </li>
  );
}

interface OwnChipProps {
  readonly preset: OwnPreset;
  readonly isSet: boolean;
  readonly onUse: () => void;
  readonly onRemove: () => void;
}

function OwnChip({ preset: { name }, isSet, onUse, onRemove }: OwnChipProps) {
  const { t } = useWords();
  return (
    <li className={styles.own}>
      <Button size="small" aria-pressed={isSet} onClick={onUse}>
        {name}
      </Button>
      <IconButton icon="close" label={t('presets.remove', { name })} onClick={onRemove} />
    </li>
  );
}

/** The field for the name of a new preset. */
function NewPreset({ onSave }: { readonly onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const { t } = useWords();
  const trimmed = name.trim();
  function save() {
    if (trimmed === '') return;
    onSave(trimmed);
    setName('');
  }
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField type="text" label={t('presets.name')} value={name} maxLength={MAX_PRESET_NAME} onText={setName} />
      <Button disabled={trimmed === ''} onClick={save}>
        {t('presets.save')}
      </Button>
    </form>
  );
}

/** Copies the address of the page with the current settings. */
function CopyLink() {
  const { settings, notifications } = useSession();
  const { t } = useWords();
  async function copy() {
    const address = new URL(hashOf(settings.form.get()), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      notifications.show({ key: 'presets.copied' });
    } catch {
      notifications.show({ key: 'presets.problem.copy', values: { address } }, { tone: 'critical' });
    }
  }
  return (
    <div className={styles.link}>
      <Button size="small" onClick={copy}>
        {t('presets.copy')}
      </Button>
      <p className={styles.note}>{t('presets.note')}</p>
    </div>
  );
}
