import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Choice, SelectField, TextField } from './index.ts';
import { inEnglish, only, type Rendered, render, type } from './testing/render.tsx';

let shown: Rendered | undefined;
afterEach(() => shown?.unmount());
const show = (...args: Parameters<typeof render>) => {
  shown = render(...args);
  return shown.container;
};

describe('a text field', () => {
  test('has its label as its accessible name and reports typed text', () => {
    const onText = vi.fn();
    const container = show(<TextField label="Width" unit="px" value="" onText={onText} />);
    const input = only<HTMLInputElement>(container, 'input');
    expect(input.labels?.[0]?.textContent).toBe('Width');
    type(input, '800');
    expect(onText).toHaveBeenLastCalledWith('800');
  });

  test('reports text that was typed before hydration', () => {
    const onText = vi.fn();
    const field = inEnglish(<TextField label="Width" value="1920" onText={onText} />);
    const container = document.createElement('div');
    container.innerHTML = renderToString(field);
    document.body.append(container);
    only<HTMLInputElement>(container, 'input').value = '640';
    const root = flushSync(() => hydrateRoot(container, field));
    return vi
      .waitFor(() => expect(onText).toHaveBeenCalledWith('640'))
      .finally(() => {
        root.unmount();
        container.remove();
      });
  });

  test('refers to the message about its problem', () => {
    const container = show(<TextField label="Width" value="x" problemId="why" onText={() => {}} />);
    const input = only<HTMLInputElement>(container, 'input');
    expect([input.getAttribute('aria-invalid'), input.getAttribute('aria-errormessage')]).toEqual(['true', 'why']);
  });
});

test('a choice reports its new state', () => {
  const onChecked = vi.fn();
  const container = show(
    <Choice type="checkbox" checked={false} onChecked={onChecked}>
      Keep proportions
    </Choice>,
  );
  only<HTMLLabelElement>(container, 'label').click();
  expect(onChecked).toHaveBeenCalledWith(true);
});

test('a select field offers its options and reports the chosen one', () => {
  const onChoose = vi.fn();
  const options = [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ];
  const container = show(<SelectField label="Save as" value="a" options={options} onChoose={onChoose} />);
  const select = only<HTMLSelectElement>(container, 'select');
  expect([...select.options].map(({ text }) => text)).toEqual(['First', 'Second']);
  select.value = 'b';
  select.dispatchEvent(new Event('change', { bubbles: true }));
  expect(onChoose).toHaveBeenCalledWith('b');
});
