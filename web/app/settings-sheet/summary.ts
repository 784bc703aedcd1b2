// The size settings in a few words.

import type { Length, SizeRule } from '../../domain/recipe.ts';
import type { Message } from '../../i18n/index.ts';

/** Returns the message about a size rule; null stands for invalid settings. */
export function sizeMessage(rule: SizeRule | null): Message {
  switch (rule?.by) {
    case undefined:
      return { key: 'summary.invalid' };
    case 'percent':
      return { key: 'summary.percent', values: { percent: rule.percent } };
    case 'longest':
    case 'shortest':
      return { key: `summary.${rule.by}`, values: { side: rule.side } };
    case 'megapixels':
      return { key: 'summary.megapixels', values: { megapixels: rule.megapixels } };
    case 'widths':
      return { key: 'summary.width', values: { width: `${rule.widths.toReversed().join(', ')} px` } };
    case 'box': {
      const [width, height] = [rule.width, rule.height].map(lengthText);
      if (height === undefined) return { key: 'summary.width', values: { width: width ?? '' } };
      if (width === undefined) return { key: 'summary.height', values: { height } };
      return { key: 'summary.box', values: { width, height } };
    }
  }
}

function lengthText(length: Length | null): string | undefined {
  if (length === null) return undefined;
  return length.unit === 'px' ? `${length.value} px` : `${length.value}%`;
}
