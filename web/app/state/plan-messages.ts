// The messages about plans that cannot be executed. They are not in item-messages.ts, which loads with the list,
// because the settings show them too.

import { megapixelsOf } from '../../domain/picture.ts';
import type { Message } from '../../i18n/messages.ts';
import { formatName, type PlanFailure } from './item.ts';

export function planFailureMessage(failure: PlanFailure): Message {
  switch (failure.code) {
    case 'huge': {
      const { size } = failure;
      return { key: 'size.problem.huge', values: { ...size, megapixels: megapixelsOf(size) } };
    }
    case 'too-long':
      return { key: 'failure.tooLong', values: { format: formatName(failure.format), max: failure.max } };
  }
}
