// The summary of the settings in the bar of a phone: `1920 px wide · same format · 41 will shrink`.

import { FORMATS } from '../../domain/formats.ts';
import type { BoxRule, Length, Recipe, SizeRule } from '../../domain/recipe.ts';
import type { Words } from '../../i18n/index.ts';
import { CHANGES, type ChangeCounts } from '../state/plans.ts';

/** Returns the summary of a recipe, which is null while the form is invalid. */
export function summaryText(recipe: Recipe | null, counts: ChangeCounts | null, words: Words): string {
  const { t } = words;
  if (recipe === null) return t('summary.invalid');
  const changes = CHANGES.filter((change) => counts !== null && counts[change] > 0);
  return [
    sizeText(recipe.size, words),
    ...(recipe.size.by === 'app-icons' ? [] : [formatText(recipe, words)]),
    ...changes.map((change) => t(`size.count.${change}`, { count: counts?.[change] ?? 0 })),
  ].join(' · ');
}

function formatText({ format }: Recipe, { t }: Words): string {
  return format === 'same' ? t('summary.sameFormat') : FORMATS[format].name;
}

function sizeText(rule: SizeRule, words: Words): string {
  const { t } = words;
  switch (rule.by) {
    case 'box':
      return boxText(rule, words);
    case 'percent':
      return t('summary.percent', { percent: rule.percent });
    case 'longest':
    case 'shortest':
      return t(`summary.${rule.by}`, { length: t('summary.px', { value: rule.side }) });
    case 'megapixels':
      return t('summary.megapixels', { count: rule.megapixels });
    case 'app-icons':
      return t('summary.appIcons');
    case 'widths':
      return t('summary.wide', { length: t('summary.px', { value: [...rule.widths].reverse().join(', ') }) });
  }
}

function boxText({ width, height, fit }: BoxRule, { t }: Words): string {
  const text = ({ unit, value }: Length) => (unit === 'px' ? t('summary.px', { value }) : `${value}%`);
  if (height === null) return width === null ? '' : t('summary.wide', { length: text(width) });
  if (width === null) return t('summary.high', { length: text(height) });
  // The unit stands once: `800 × 600 px`.
  const first = width.unit === 'px' && height.unit === 'px' ? String(width.value) : text(width);
  return t(fit === 'contain' ? 'summary.within' : 'summary.exact', { width: first, height: text(height) });
}
