import { expect, test } from 'vitest';
import { safeStorage } from './safe-storage.ts';

test('where storage is blocked, values last as long as the page', () => {
  const blocked = safeStorage(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(blocked.set('theme', 'dark')).toBe(false);
  expect(blocked.get('theme')).toBe('dark');
  blocked.remove('theme');
  expect(blocked.get('theme')).toBeNull();
});
