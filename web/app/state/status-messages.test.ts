import { expect, it } from 'vitest';
import { changeOf } from './status-messages.ts';

it.each([
  [1000, 500, { smaller: true, share: 0.5 }],
  [1000, 1500, { smaller: false, share: 0.5 }],
  [1000, 1000, { smaller: false, share: 0 }],
  [0, 10, { smaller: false, share: 0 }],
  // Nothing is 100 % smaller.
  [2_500_000, 8_200, { smaller: true, share: 0.99 }],
])('from %i to %i bytes', (before, after, expected) => {
  expect(changeOf(before, after)).toEqual(expected);
});
