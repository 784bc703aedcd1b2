import { expect, test } from 'vitest';
import { safeStorage } from './safe-storage.ts';

test('blocked storage keeps values as long as the page lives', () => {
  const blocked = safeStorage(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(blocked.set('theme', 'dark')).toBe(false);
  expect(blocked.get('theme')).toBe('dark');
  blocked.remove('theme');
  expect(blocked.get('theme')).toBeNull();
});
