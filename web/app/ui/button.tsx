// Buttons. `tone` sets how prominent a button is.

import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

export type ButtonTone = 'primary' | 'secondary' | 'quiet';
type ButtonSize = 'small' | 'medium' | 'large';

/** Returns the props for the look of a button, for another element such as a link. */
export function buttonLooks(tone: ButtonTone, size: ButtonSize) {
  return { className: styles.button, 'data-tone': tone, 'data-size': size };
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
  readonly icon?: IconName;
}

export function Button({ tone = 'secondary', size = 'medium', icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...buttonLooks(tone, size)} {...rest}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type' | 'children' | 'aria-label'> {
  readonly icon: IconName;
  readonly label: string;
}

/** A button that shows only an icon; the label is its accessible name and its tooltip. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={styles.iconButton} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
