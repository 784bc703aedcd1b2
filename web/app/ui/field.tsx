// Form fields with their labels.

import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import styles from './field.module.css';
import { useField } from './live.ts';

/** React requires an `onChange` next to `value`; `useField` handles the event. */
const handledByUseField = () => {};

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'id'> {
  readonly label: string;
  readonly unit?: string;
  /** The accessible name, if it differs from the label, such as `Width in pixels`; it begins with the label. */
  readonly name?: string | undefined;
  readonly onText: (text: string) => void;
  /** The id of the element with the problem's message. */
  readonly problemId?: string | undefined;
  /** Whether this field is of the chosen size mode, or only shows a resulting value. */
  readonly inUse?: boolean;
}

export function TextField({ label, unit, name, onText, problemId, inUse = true, ...rest }: TextFieldProps) {
  const id = useId();
  const input = useField<HTMLInputElement>((field) => {
    if (field.value !== rest.value) onText(field.value);
  });
  const invalid = problemId === undefined ? {} : { 'aria-invalid': true, 'aria-errormessage': problemId };
  return (
    <div className={styles.field} data-in-use={inUse}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          {...rest}
          {...invalid}
          ref={input}
          id={id}
          aria-label={name}
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          onChange={handledByUseField}
        />
        {unit === undefined ? null : (
          <span className={styles.unit} aria-hidden="true">
            {unit}
          </span>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'type'> {
  readonly type: 'checkbox' | 'radio';
  readonly onChecked: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** A checkbox or a radio button with its label. */
export function Choice({ onChecked, children, ...rest }: ChoiceProps) {
  const input = useField<HTMLInputElement>((tick) => {
    if (tick.checked !== rest.checked) onChecked(tick.checked);
  });
  return (
    <label className={styles.choice}>
      <input
        {...rest}
        ref={input}
        className={styles.tick}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
}

export function SelectField<T extends string>({ label, value, options, onChoose }: SelectFieldProps<T>) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option !== undefined) onChoose(option.value);
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select id={id} className={styles.select} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
