// The messages for problems in the form.

import type { FieldProblem } from '../../domain/form.ts';
import type { Message } from '../../i18n/index.ts';

export function problemMessage(problem: FieldProblem): Message {
  switch (problem.code) {
    case 'size-missing':
      return { key: 'size.problem.missing' };
    case 'not-a-whole-number':
      return { key: 'size.problem.number', values: { max: problem.max } };
    case 'not-a-percentage':
      return { key: 'size.problem.percent', values: { max: problem.max } };
    case 'not-megapixels':
      return { key: 'size.problem.megapixels', values: { max: problem.max } };
    case 'not-a-density':
      return { key: 'size.problem.density', values: { max: problem.max } };
    case 'not-a-file-size':
      return { key: 'format.problem.limit', values: { max: problem.max } };
    case 'not-widths':
      return { key: 'size.problem.widths', values: { max: problem.max, most: problem.most } };
    case 'huge': {
      const { width, height, megapixels } = problem;
      return { key: 'size.problem.huge', values: { width, height, megapixels } };
    }
  }
}
