// Renders components with English messages into the page of a test.

import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import english from '../../../../locales/en.json' with { type: 'json' };
import { WordsProvider } from '../../../i18n/index.ts';

export interface Rendered {
  readonly container: HTMLElement;
  readonly rerender: (node: ReactNode) => void;
  readonly unmount: () => void;
}

export function inEnglish(node: ReactNode): ReactNode {
  return (
    <WordsProvider locale="en" messages={english}>
      {node}
    </WordsProvider>
  );
}

/** Renders the node and runs its effects. */
export function render(node: ReactNode): Rendered {
  const container = document.createElement('div');
  document.body.append(container);
  const root: Root = createRoot(container);
  const rerender = (next: ReactNode) => flushSync(() => root.render(inEnglish(next)));
  rerender(node);
  const unmount = () => {
    root.unmount();
    container.remove();
  };
  return { container, rerender, unmount };
}

/** Returns the only element that the selector matches. */
export function only<T extends Element>(container: ParentNode, selector: string): T {
  const [element, ...more] = container.querySelectorAll<T>(selector);
  if (element === undefined || more.length > 0) throw new Error(`${more.length + 1} elements match ${selector}`);
  return element;
}

/** Types text into a field as a user, an extension or a test driver does. */
export function type(field: HTMLInputElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
