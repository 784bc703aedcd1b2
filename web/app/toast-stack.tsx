// Toasts: short messages at the edge of the screen, with Undo if the action can be undone. Each closes after ten
// seconds; the time stops while it has the pointer or the focus. Live regions announce the same messages.

import { type ReactNode, useEffect, useState } from 'react';
import { useWords } from '../i18n/index.ts';
import type { Toast as ToastValue } from './state/notifications.ts';
import type { Recovered } from './state/recovered.ts';
import styles from './toast-stack.module.css';
import { Button, IconButton } from './ui/index.ts';

const SHOWN_MILLISECONDS = 10_000;

interface ToastsProps {
  readonly toasts: readonly ToastValue[];
  readonly onUndo: () => void;
  readonly onClose: (toast: ToastValue) => void;
}

interface ToastStackProps extends ToastsProps {
  /** Messages that stay until the user answers. */
  readonly children?: ReactNode;
}

interface ToastProps extends Omit<ToastsProps, 'toasts'> {
  readonly toast: ToastValue;
}

export function ToastStack({ toasts, children, ...handlers }: ToastStackProps) {
  return (
    <div className={styles.stack} data-toasts="">
      {children}
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} {...handlers} />
      ))}
    </div>
  );
}

function Toast({ toast, onUndo, onClose }: ToastProps) {
  const { t, rich } = useWords();
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onClose(toast), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [held, onClose, toast]);
  return (
    <section
      className={styles.toast}
      data-tone={toast.tone}
      aria-label={t('toast.label')}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <p className={styles.words}>{rich(toast.message)}</p>
      {toast.undo ? (
        <Button tone="quiet" size="small" onClick={onUndo}>
          {t('action.undo')}
        </Button>
      ) : null}
      <IconButton icon="close" label={t('action.close')} onClick={() => onClose(toast)} />
    </section>
  );
}

/** Offers results of an earlier visit. It stays until the user decides. */
export function RecoveredToast({ recovered }: { readonly recovered: Recovered }) {
  const { t, rich } = useWords();
  return (
    <section className={styles.toast} data-tone="plain" aria-label={t('toast.label')}>
      <p className={styles.words}>{rich({ key: 'recovered.found', values: { count: recovered.count } })}</p>
      <Button tone="quiet" size="small" onClick={() => void recovered.save()}>
        {t('action.save')}
      </Button>
      <Button tone="quiet" size="small" onClick={() => void recovered.remove()}>
        {t('recovered.delete')}
      </Button>
    </section>
  );
}
